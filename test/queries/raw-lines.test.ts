import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteStore } from "@/db/sqlite/sqlite-store";
import { encodeBlock } from "@/server/archive/block-codec";
import type { Store } from "@/server/domain/store";
import { linesAround } from "@/server/queries/raw-lines";
import { madeBlock, madeSender } from "../store/made-blocks";
import { deliver, T0 } from "../store/made-rows";

const A = "default|uid:a||";
const B = "default|uid:b||";

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore({ dataDir: ":memory:" });
});
afterEach(() => store.close());

async function around(batch: string, line: number, of: "stream" | "delivery" = "stream", n = 2, part = 0) {
  const found = await linesAround(store, { batch, line, around: n, of, part });
  const texts = (lines: readonly { text: string }[]) => lines.map((one) => one.text);
  return [texts(found.before), found.line.text, texts(found.after)];
}

/** Lines of two streams in turns: a1 b2 a3 b4 … */
const turns = (first: number, last: number, at: number | null) =>
  encodeBlock(
    Array.from({ length: last - first + 1 }, (_, i) => {
      const line = first + i;
      const when = at === null ? null : at + line * 10;
      return { line, at: when, sender: i % 2, format: null, text: `${i % 2 === 0 ? "a" : "b"}${line}` };
    }),
    [madeSender({ stream: A }), madeSender({ stream: B })],
  );

describe("a raw line", () => {
  test("stands between the lines that its stream wrote before and after it", async () => {
    await deliver(store, { id: "d1" }, { archive: [turns(1, 12, T0)] });
    expect(await around("d1", 5)).toEqual([["a1", "a3"], "a5", ["a7", "a9"]]);
    expect(await around("d1", 1)).toEqual([[], "a1", ["a3", "a5"]]);
  });

  test("stands, if asked, between the lines of its whole delivery", async () => {
    await deliver(store, { id: "d1" }, { archive: [turns(1, 4, T0), turns(5, 8, T0)] });
    expect(await around("d1", 5, "delivery")).toEqual([["a3", "b4"], "a5", ["b6", "a7"]]);
  });

  test.each([T0, null])(
    "finds its neighbours across the blocks of a delivery, with times or without (%s)",
    async (at) => {
      await deliver(store, { id: "d1" }, { archive: [turns(1, 2, at), turns(3, 4, at), turns(5, 6, at)] });
      expect(await around("d1", 3)).toEqual([["a1"], "a3", ["a5"]]);
    },
  );

  test("finds them across deliveries of the same stream, each once however often it was sent", async () => {
    const sent = (texts: string[], at: number) => madeBlock(texts, { at, sender: { stream: A } });
    await deliver(store, { id: "d1" }, { archive: [sent(["one"], T0)] });
    await deliver(store, { id: "d2" }, { archive: [sent(["two"], T0 + 5000)] });
    await deliver(store, { id: "d3" }, { archive: [sent(["three"], T0 + 900_000)] });
    await deliver(store, { id: "again" }, { archive: [sent(["one"], T0), sent(["two"], T0 + 5000)] });
    await deliver(store, { id: "other" }, { archive: [madeBlock(["b"], { at: T0 + 1, sender: { stream: B } })] });
    expect(await around("d2", 1)).toEqual([["one"], "two", ["three"]]);
  });

  test("is one of several where a document's records share a line", async () => {
    const lines = ["x", "y", "z"].map((text) => ({ line: 4, at: T0, sender: 0, format: "kubectl", text }));
    await deliver(store, { id: "d1" }, { archive: [encodeBlock(lines, [madeSender()])] });
    expect(await around("d1", 4, "stream", 2, 1)).toEqual([["x"], "y", ["z"]]);
    expect(await around("d1", 4, "delivery", 2, 1)).toEqual([["x"], "y", ["z"]]);
  });

  test("that is not kept is not found", async () => {
    await deliver(store, { id: "d1" }, { archive: [turns(1, 4, T0)] });
    await expect(around("d1", 9)).rejects.toMatchObject({ code: "not_found" });
    await expect(around("d9", 1)).rejects.toMatchObject({ code: "not_found" });
  });
});
