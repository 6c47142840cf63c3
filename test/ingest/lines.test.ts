import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineSplitter } from "@/server/ingest/lines";

interface Given {
  lines: [number, string, boolean][];
  bad: [number, string, string][];
}

function split(chunks: readonly Uint8Array[], maxLineBytes?: number): Given {
  const given: Given = { lines: [], bad: [] };
  const splitter = new LineSplitter(
    {
      line: (text, number, terminated) => given.lines.push([number, text, terminated]),
      bad: (number, code, _message, sample) => given.bad.push([number, code, sample]),
    },
    maxLineBytes,
  );
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return given;
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe("lines", () => {
  test("CRLF, empty lines and a last line without newline keep their numbers", () => {
    expect(split([bytes("a\r\n\nb\nc")]).lines).toEqual([
      [1, "a", true],
      [2, "", true],
      [3, "b", true],
      [4, "c", false],
    ]);
  });

  test("an empty body has no line", () => {
    expect(split([])).toEqual({ lines: [], bad: [] });
    expect(split([new Uint8Array(0)])).toEqual({ lines: [], bad: [] });
  });

  test("a byte order mark is no part of the first line", () => {
    expect(split([bytes("\uFEFFa\nb\n")]).lines.map((l) => l[1])).toEqual(["a", "b"]);
  });

  test("wherever the chunks are cut, the lines are the same", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: "grapheme", maxLength: 12 }).map((s) => s.replace(/[\n\r]/g, "")),
          { maxLength: 8 },
        ),
        fc.array(fc.nat(80), { maxLength: 6 }),
        (lines, cuts) => {
          const body = Buffer.from(`x${lines.join("\n")}`);
          const points = [0, ...cuts.filter((c) => c < body.length).sort((a, b) => a - b), body.length];
          const chunks = points.slice(1).map((end, i) => body.subarray(points[i], end));
          expect(split(chunks)).toEqual(split([body]));
          expect(split(chunks).lines.map((l) => l[1])).toEqual(`x${lines.join("\n")}`.replace(/\n$/, "").split("\n"));
        },
      ),
    );
  });

  test("a line that is not UTF-8 is rejected alone, also where its neighbours hold a real U+FFFD", () => {
    const body = Buffer.concat([bytes("ok \uFFFD\n"), Buffer.from([0x61, 0xff, 0x0a]), bytes("fine\n")]);
    const given = split([body]);
    expect(given.lines).toEqual([
      [1, "ok \uFFFD", true],
      [3, "fine", true],
    ]);
    expect(given.bad).toEqual([[2, "invalid_utf8", "a\uFFFD"]]);
  });

  test("a line above the bound is rejected once and the stream goes on, in one chunk or many", () => {
    const body = bytes(`a\n${"x".repeat(5000)}\nb\n`);
    const whole = split([body], 1000);
    const pieces = split(
      Array.from({ length: Math.ceil(body.length / 7) }, (_, i) => body.subarray(i * 7, i * 7 + 7)),
      1000,
    );
    for (const given of [whole, pieces]) {
      expect(given.lines).toEqual([
        [1, "a", true],
        [3, "b", true],
      ]);
      expect(given.bad.map((b) => [b[0], b[1], b[2].length])).toEqual([[2, "too_large", 500]]);
    }
  });

  test("a 20 MiB line in a stream never stays in memory whole and is rejected as too large", () => {
    const piece = new Uint8Array(1024 * 1024).fill(120);
    const given = split([bytes("a\n"), ...Array.from({ length: 20 }, () => piece), bytes("\nb\n")]);
    expect(given.lines.map((l) => l[1])).toEqual(["a", "b"]);
    expect(given.bad.map((b) => [b[0], b[1]])).toEqual([[2, "too_large"]]);
  });
});
