import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBlock, encodeBlock } from "@/server/archive/block-codec";
import type { ArchiveLine } from "@/server/domain/archive";
import { tokensOf } from "@/server/domain/token-filter";
import { madeSender } from "../store/made-blocks";
import { mayContain } from "../support/memory-archive";

const SENDERS = [madeSender({ stream: "default|uid:u0||" }), madeSender({ stream: "default|uid:u1||", podUid: "u1" })];

function line(given: Partial<ArchiveLine>): ArchiveLine {
  return { line: 1, at: null, sender: 0, format: null, text: "", ...given };
}

const anyLine = fc.record({
  line: fc.integer({ min: 0, max: 2 ** 40 }),
  at: fc.option(fc.integer({ min: -(2 ** 45), max: 2 ** 45 })),
  sender: fc.constant(0),
  format: fc.constantFrom(null, "execd", "klog"),
  text: fc.string({ unit: "grapheme", maxLength: 40 }),
});

describe("a block", () => {
  test("gives its lines back as they were", () => {
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 50 }), (given) => {
        const near = given.map((one) => ({ ...one, line: (given[0]?.line ?? 0) + (one.line % 5000) }));
        expect(decodeBlock(encodeBlock(near, SENDERS).bytes)).toEqual(near);
      }),
    );
  });

  test("gives, asked for a probe, every line that has it in whatever case, and of the others no text", () => {
    const texts = fc.array(fc.stringMatching(/^[abA\u00e4 ]{0,6}$/), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(texts, fc.stringMatching(/^[ab]{1,3}$/), (given, word) => {
        const block = encodeBlock(
          given.map((text, i) => line({ line: i, text })),
          SENDERS,
        );
        const found = decodeBlock(block.bytes, new RegExp(word, "gi"));
        given.forEach((text, i) => {
          const has = text.toLowerCase().includes(word);
          if (has) expect(found[i]?.text).toBe(text);
          else expect(["", text]).toContain(found[i]?.text);
        });
        expect(found).toHaveLength(given.length);
      }),
    );
  });

  test("says which lines it spans, which of them it has, and when they were", () => {
    const block = encodeBlock([line({ line: 9, at: 50 }), line({ line: 4 }), line({ line: 6, at: 20 })], SENDERS);
    expect(block).toMatchObject({ firstLine: 4, lastLine: 9, lines: 3, firstAt: 20, lastAt: 50 });
    expect([...(block.present ?? [])]).toEqual([0b100101]);
    const whole = encodeBlock([line({ line: 4 }), line({ line: 5 }), line({ line: 5 })], SENDERS);
    expect(whole).toMatchObject({ firstLine: 4, lastLine: 5, lines: 3, present: null, firstAt: null, lastAt: null });
  });

  test("names only those who sent a line of it", () => {
    const block = encodeBlock([line({ sender: 1 })], SENDERS);
    expect(block.senders).toEqual([SENDERS[1]]);
    expect(decodeBlock(block.bytes)[0]?.sender).toBe(0);
  });

  test("is of one run and one origin", () => {
    const others = [madeSender({ run: "a" }), madeSender({ run: "b" })];
    expect(() => encodeBlock([line({ sender: 0 }), line({ sender: 1 })], others)).toThrow("one run");
  });

  test("may hold every token of its lines and senders, and hardly any other", () => {
    const texts = Array.from(
      { length: 3000 },
      (_, i) => `GET /v1/sandboxes/${(i * 7919).toString(36)}abc HTTP 200 naïve`,
    );
    const { filter } = encodeBlock(
      texts.map((text) => line({ text })),
      [madeSender({ pod: "sandbox-77fe", node: "ip-10-1" })],
    );
    for (const text of [...texts, "sandbox-77fe"]) expect(mayContain(filter, tokensOf(text)), text).toBe(true);
    const absent = Array.from({ length: 5000 }, (_, i) => `q${(i * 104_729).toString(36)}zz`);
    expect(absent.filter((token) => mayContain(filter, [token])).length).toBeLessThan(50);
    expect(filter.length).toBeLessThan(3000 * 3);
  });

  test("that is broken is refused", () => {
    const { bytes } = encodeBlock([line({ text: "x" })], SENDERS);
    expect(() => decodeBlock(bytes.subarray(0, 9))).toThrow("cannot be read");
    expect(() => decodeBlock(Buffer.from("no block"))).toThrow("cannot be read");
  });
});

test("tokens are runs of three ASCII letters and digits or more, in lower case", () => {
  expect(tokensOf("POST /v1 OOM-Killed été ab 137, killed pod_name=x1y")).toEqual([
    "post",
    "oom",
    "killed",
    "137",
    "pod",
    "name",
    "x1y",
  ]);
});
