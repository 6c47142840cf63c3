import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteStore } from "@/db/sqlite/sqlite-store";
import { encodeBlock } from "@/server/archive/block-codec";
import type { ArchiveLine } from "@/server/domain/archive";
import type { RawLine } from "@/server/domain/raw-lines";
import type { Store } from "@/server/domain/store";
import { SEARCH_BOUNDS, type SearchBounds, searchLines } from "@/server/queries/search-lines";
import type { SearchInput } from "@/server/queries/search-scope";
import { madeBlock, madeSender } from "../store/made-blocks";
import { deliver, T0 } from "../store/made-rows";
import { Random } from "../store/random-rows";

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore({ dataDir: ":memory:" });
});
afterEach(() => store.close());

const first = (input: SearchInput, limit = 100) => searchLines(store, { ...input, page: { limit, cursor: null } });
const texts = (items: readonly RawLine[]) => items.map((item) => item.text);

/** Every page, one after the other. */
async function all(input: SearchInput, limit: number, bounds: SearchBounds): Promise<RawLine[]> {
  const found: RawLine[] = [];
  let cursor: string | null = null;
  for (let calls = 0; calls < 1000; calls++) {
    const page = await searchLines(store, { ...input, page: { limit, cursor } }, bounds);
    expect(page.items.length).toBeLessThanOrEqual(limit);
    found.push(...page.items);
    cursor = page.next;
    if (cursor === null) return found;
  }
  throw new Error("the search does not end");
}

/** Lines of several deliveries whose blocks overlap in time, each with a number of its own; every third says `ping`. */
async function manyLines(seed: number, blocks: number): Promise<{ text: string; at: number | null }[]> {
  const r = new Random(seed);
  const lines: { text: string; at: number | null }[] = [];
  for (let b = 0; b < blocks; b++) {
    const from = T0 + r.int(50) * 1000;
    const made = Array.from({ length: 1 + r.int(9) }, (_, i): ArchiveLine => {
      const at = r.int(8) === 0 ? null : from + r.int(20) * 500;
      return { line: i + 1, at, sender: 0, format: null, text: `line${b}x${i}${r.int(3) === 0 ? " ping" : ""}` };
    });
    lines.push(...made);
    await deliver(store, { id: `b${b}`, receivedAt: T0 + b }, { archive: [encodeBlock(made, [madeSender()])] });
  }
  return lines;
}

describe("a search", () => {
  test("finds whole words in any case, newest first, and says where they stand", async () => {
    const sender = { run: "exp-1", node: "n1", pod: "p1", sandbox: "s1", source: "execd" };
    await deliver(
      store,
      { id: "b1" },
      { archive: [madeBlock(["Connection reset", "fine"], { first: 3, at: T0, sender })] },
    );
    await deliver(store, { id: "b2" }, { archive: [madeBlock(["connection refused"], { at: T0 + 5, sender: {} })] });
    const { items, next, looked } = await first({ q: "CONNECTION" });
    expect(texts(items)).toEqual(["connection refused", "Connection reset"]);
    expect(items[1]).toEqual({
      batch: "b1",
      line: 3,
      part: 0,
      at: new Date(T0).toISOString(),
      run: "exp-1",
      node: "n1",
      pod: "p1",
      container: null,
      sandbox: "s1",
      source: "execd",
      format: null,
      origin: "fleet",
      text: "Connection reset",
      cut: false,
      matches: [[0, 10]],
    });
    expect([next, looked]).toEqual([null, { blocks: 2, lines: 3, back: null }]);
  });

  test("keeps to run, node, pod, sandbox, source and time", async () => {
    const of = (text: string, sender: object, at = T0) => madeBlock([`word ${text}`], { at, sender });
    const sent = [of("r", { run: "r1" }), of("n", { node: "node-1" }), of("p", { pod: "pod-1", podUid: "u-1" })];
    const rest = [of("s", { sandbox: "sbx-1" }), of("e", { source: "execd" }), of("late", {}, T0 + 9000)];
    for (const [i, block] of [...sent, ...rest].entries()) await deliver(store, { id: `b${i}` }, { archive: [block] });
    const only = async (input: SearchInput) => texts((await first({ q: "word", ...input })).items);
    expect(await only({ runs: ["r1"] })).toEqual(["word r"]);
    expect(await only({ nodes: ["node-1"] })).toEqual(["word n"]);
    expect(await only({ pods: ["pod-1"] })).toEqual(["word p"]);
    expect(await only({ pods: ["u-1"] })).toEqual(["word p"]);
    expect(await only({ sandboxes: ["sbx-1"] })).toEqual(["word s"]);
    expect(await only({ sources: ["execd", "other"] })).toEqual(["word e"]);
    expect(await only({ from: T0 + 1 })).toEqual(["word late"]);
    expect(await only({ to: T0 })).toEqual([]);
    expect(await only({ nodes: ["node-2"] })).toEqual([]);
  });

  test("counts a run's aliases as the run", async () => {
    await deliver(store, { id: "b1" }, { archive: [madeBlock(["word"], { sender: { run: "ray-worker-3" } })] });
    const settings = { id: "exp-1", name: "exp-1", aliases: ["ray-worker-3"], labels: {}, config: {}, notes: null };
    await store.putRunSettings({ ...settings, planned: null, endedAt: null, passAt: 1, updatedAt: T0 });
    expect((await first({ q: "word", runs: ["exp-1"] })).items.map((item) => item.run)).toEqual(["exp-1"]);
  });

  test("shows the made-up fleet only while there is nothing real, and when its run is named", async () => {
    const demo = { origin: "demo", run: "demo-run" } as const;
    await deliver(store, { id: "d", origin: "demo" }, { archive: [madeBlock(["word made up"], { sender: demo })] });
    expect((await first({ q: "word" })).items.map((item) => item.origin)).toEqual(["demo"]);
    await deliver(store, { id: "f" }, { archive: [madeBlock(["word real"])] });
    expect(texts((await first({ q: "word" })).items)).toEqual(["word real"]);
    expect(texts((await first({ q: "word", runs: ["demo-run"] })).items)).toEqual(["word made up"]);
  });

  test("without words shows what came last", async () => {
    await deliver(
      store,
      { id: "b1" },
      { archive: [madeBlock(["one"], { at: T0 }), madeBlock(["two"], { at: T0 + 1 })] },
    );
    expect(texts((await first({})).items)).toEqual(["two", "one"]);
  });

  test("shows the surroundings of the first match of a long line", async () => {
    const text = `${"x ".repeat(5000)}needle${" y".repeat(5000)}`;
    await deliver(store, { id: "b1" }, { archive: [madeBlock([text])] });
    const [item] = (await first({ q: "needle" })).items;
    const [from, to] = item?.matches[0] ?? [0, 0];
    expect([item?.cut, item?.text.length, item?.text.slice(from, to)]).toEqual([true, 4000, "needle"]);
  });
});

describe("the pages of a search", () => {
  test.each([1, 2, 3, 4, 5])("hold every match once, newest first (seed %i)", async (seed) => {
    const lines = await manyLines(seed, 30);
    for (const limit of [1, 7, 1000]) {
      const found = await all({ q: "ping" }, limit, { blocks: 1000, ms: 60_000 });
      expect(texts(found).sort()).toEqual(
        texts(lines as RawLine[])
          .filter((text) => text.endsWith("ping"))
          .sort(),
      );
      const times = found.filter((item) => item.at !== null).map((item) => Date.parse(item.at ?? ""));
      expect(times).toEqual([...times].sort((a, b) => b - a));
    }
  });

  test.each([1, 3, 10])("lose and repeat nothing where a call may read only %i blocks", async (blocks) => {
    const lines = await manyLines(9, 30);
    for (const limit of [1, 4, 100]) {
      const found = texts(await all({ q: "ping" }, limit, { blocks, ms: 60_000 }));
      expect(found.sort()).toEqual(
        texts(lines as RawLine[])
          .filter((text) => text.endsWith("ping"))
          .sort(),
      );
    }
  });

  test("stand still while newer lines come in", async () => {
    await manyLines(3, 20);
    const one = await first({ q: "ping" }, 5);
    await deliver(store, { id: "new" }, { archive: [madeBlock(["ping of now"], { at: T0 + 1e9 })] });
    const two = await searchLines(store, { q: "ping", page: { limit: 5, cursor: one.next } });
    expect(texts([...one.items, ...two.items])).not.toContain("ping of now");
    expect(new Set(texts([...one.items, ...two.items])).size).toBe(10);
  });

  test("end after a bounded number of blocks, saying how far back they looked", async () => {
    for (let i = 0; i < 5; i++) {
      // The filter of the blocks lets them through, the line does not.
      const block = madeBlock(["lost and found"], { at: T0 + i * 1000 });
      await deliver(store, { id: `b${i}` }, { archive: [block] });
    }
    const page = await searchLines(
      store,
      { q: '"found and"', page: { limit: 9, cursor: null } },
      { ...SEARCH_BOUNDS, blocks: 2 },
    );
    expect(page).toMatchObject({ items: [], looked: { blocks: 2, lines: 2, back: new Date(T0 + 3000).toISOString() } });
    expect(page.next).not.toBeNull();
  });

  test("refuse a cursor of elsewhere", async () => {
    const { next } = await store.batches({}, { limit: 1, cursor: null });
    for (const cursor of ["x", next ?? "W10", Buffer.from('["search",1,2,3]').toString("base64url")])
      await expect(searchLines(store, { page: { limit: 1, cursor } })).rejects.toMatchObject({ code: "invalid" });
  });
});
