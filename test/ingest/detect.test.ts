import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DeliveryReader } from "@/server/ingest/detect";
import { DocumentSplitter } from "@/server/ingest/detect-documents";
import { isJsonPrefix } from "@/server/ingest/detect-json";
import type { Envelope, Format, Payload } from "@/server/ingest/format";
import { RowSink } from "@/server/ingest/sink";
import { PARAMS, RECEIVED_AT } from "../support/deliveries";

describe("the beginning of a JSON document", () => {
  test.each(['{"a":', "[", '{"a": [1, {"b', '[{"a":1},\n', "{}", "[1.5e", '{"a":tru', '  {\n "kind": "List"'])(
    "is %j",
    (text) => {
      expect(isJsonPrefix(text)).toBe(true);
    },
  );

  test.each([
    "[2026-10-10 10:00:00] INFO started",
    "[INFO] x",
    "[ray] x",
    "{time} level",
    '{"a":"te\n{"b":1}',
    '{"a":1,\n{"a":2}',
    "plain",
    "",
    '"text"',
    "{a: 1}",
    "[1 2",
  ])("is not %j", (text) => {
    expect(isJsonPrefix(text)).toBe(false);
  });

  test("is every prefix of every object and array", () => {
    const root = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
    fc.assert(
      fc.property(root, fc.integer({ min: 0, max: 3 }), fc.nat(), (value, indent, cut) => {
        const text = JSON.stringify(value, null, indent);
        expect(isJsonPrefix(text.slice(0, 1 + (cut % text.length)))).toBe(true);
      }),
    );
  });
});

describe("documents in one body", () => {
  test("are cut apart wherever the chunks end, each with the line it begins on", () => {
    const objects = fc.array(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(objects, fc.integer({ min: 1, max: 50 }), (values, size) => {
        const body = Buffer.from(values.map((value) => JSON.stringify(value, null, 2)).join("\n"));
        const seen: [string, number][] = [];
        const splitter = new DocumentSplitter(
          { document: (text, line) => seen.push([text, line]), bad: (_line, code) => expect(code).toBe("none") },
          false,
        );
        for (let at = 0; at < body.length; at += size) splitter.push(body.subarray(at, at + size));
        splitter.end();
        expect(seen.map(([text]) => JSON.parse(text))).toEqual(
          values.map((value) => JSON.parse(JSON.stringify(value))),
        );
        let line = 1;
        for (const [i, value] of values.entries()) {
          expect(seen[i]?.[1]).toBe(line);
          line += JSON.stringify(value, null, 2).split("\n").length;
        }
      }),
    );
  });

  test("that are too large or cut off are told apart", () => {
    const bad: string[] = [];
    const handler = {
      document: () => undefined,
      bad: (line: number, code: string) => bad.push(`${line} ${code}`),
    };
    const large = new DocumentSplitter(handler, false, 100);
    large.push(Buffer.from(`{"a":\n"${"x".repeat(200)}"}`));
    large.end();
    const cut = new DocumentSplitter(handler, false);
    cut.push(Buffer.from('{"a":\n1}\n{"b":\n'));
    cut.end();
    expect(bad).toEqual(["1 too_large", "2 incomplete"]);
  });
});

/** Notes what it was given; `document` takes whole documents with a `kind`, `line` anything else. */
function readers() {
  const read: { by: string; text: string; line: number; at: number | null }[] = [];
  const note = (name: string) => (payload: Payload) => {
    read.push({ by: name, text: payload.text, line: payload.line, at: payload.at });
  };
  const whole: Format = {
    name: "whole",
    title: "",
    unit: "document",
    accepts: (payload) => /"kind"/.test(payload.text),
    read: note("whole"),
  };
  const line: Format = {
    name: "line",
    title: "",
    unit: "line",
    accepts: (payload) => !payload.text.startsWith("?"),
    continues: (text) => text.startsWith("  "),
    read: note("line"),
  };
  const piped: Envelope = {
    name: "piped",
    detect: (head) => (/^\w+\|/.test(head) ? 1 : 0),
    open(text, number) {
      const match = /^(\w+)\|(P?)\|(.*)$/s.exec(text);
      if (!match) return null;
      const [, stream = "", partial, rest = ""] = match;
      return {
        payloads: [{ who: { stream }, at: number, text: rest, line: number, ...(partial ? { partial: true } : {}) }],
      };
    },
  };
  return { read, formats: [whole, line], envelopes: [piped] };
}

function readBody(body: string, format = "auto", chunk = 7) {
  const { read, ...given } = readers();
  const params = { ...PARAMS, format };
  const sink = new RowSink(params);
  const reader = new DeliveryReader({ params, receivedAt: RECEIVED_AT }, sink, given);
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.subarray(at, at + chunk));
  reader.end();
  const { rows, counts } = sink.take(true);
  return { read, reader, rejects: rows.rejects.map(({ line, code }) => [line, code]), counts };
}

const texts = (body: string, format?: string) => readBody(body, format).read.map((one) => [one.by, one.text, one.line]);

describe("a body", () => {
  test("of one document over many lines goes to a document's format whole", () => {
    const body = '\n{\n "kind": "List",\n "items": []\n}\n';
    expect(texts(body)).toEqual([["whole", body.trim(), 2]]);
  });

  test("of one document on one line does too, and documents line by line", () => {
    expect(texts('{"kind":"List"}')).toEqual([["whole", '{"kind":"List"}', 1]]);
    expect(texts('{"kind":"A"}\n{"kind":"B"}\n')).toEqual([
      ["whole", '{"kind":"A"}', 1],
      ["whole", '{"kind":"B"}', 2],
    ]);
  });

  test("that spreads ordinary records over lines, or puts many into one array, gives each as if on a line", () => {
    expect(texts('{\n "a": 1\n}\n{\n "b": 2\n}')).toEqual([
      ["line", '{"a":1}', 1],
      ["line", '{"b":2}', 4],
    ]);
    for (const body of ['[{"a":1},{"b":2}]', '[\n {"a":1},\n {"b":2}\n]']) {
      expect(texts(body).map(([, text]) => text)).toEqual(['{"a":1}', '{"b":2}']);
    }
  });

  test("of log lines that begin with a bracket is lines", () => {
    expect(texts("[1] a\n[2] b\n").map(([, text]) => text)).toEqual(["[1] a", "[2] b"]);
  });

  test("of an unknown text goes whole to a document's format that was named", () => {
    expect(texts("kind: x\n", "whole")).toEqual([]);
    expect(texts('"kind": x\nitems:\n', "whole")).toEqual([["whole", '"kind": x\nitems:\n', 1]]);
  });

  test("joins the pieces of a line and the lines of a record by stream, at the first one's time", () => {
    const { read } = readBody("a|P|one \nb||other\na||two\nb||  more\na||  also\nb||next\n");
    expect(read).toEqual([
      { by: "line", text: "other\n  more", line: 2, at: 2 },
      { by: "line", text: "one two\n  also", line: 1, at: 1 },
      { by: "line", text: "next", line: 6, at: 6 },
    ]);
  });

  test("with an unfinished piece at its end shows it as incomplete", () => {
    const { rejects, counts } = readBody("a||whole\na|P|half\n");
    expect(rejects).toEqual([[2, "incomplete"]]);
    expect(counts).toMatchObject({ records: 2, rejected: 1 });
  });

  test("with lines that no format reads shows each, and is refused when there is nothing else", () => {
    const some = readBody("fine\n?\nbin\0ary\n");
    expect(some.rejects).toEqual([
      [2, "unknown_format"],
      [3, "unreadable"],
    ]);
    expect(some.reader.nothingUnderstood).toBe(false);
    const none = readBody("?\n?\n");
    expect(none.reader.nothingUnderstood).toBe(true);
    expect(none.reader.refusal()).toMatchObject({ code: "unsupported", message: expect.stringContaining('"?"') });
  });

  test("read under an envelope's name takes only that envelope", () => {
    const { rejects, read } = readBody("a||x\nno\n", "piped");
    expect(read.map((one) => one.text)).toEqual(["x"]);
    expect(rejects).toEqual([[2, "unknown_format"]]);
  });
});
