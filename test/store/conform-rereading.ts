import { describe, expect } from "vitest";
import type { RereadStep } from "@/server/domain/rereading";
import type { Store } from "@/server/domain/store";
import { madeBlock } from "./made-blocks";
import { deliver, madeFact, madeLink, madeObservation } from "./made-rows";
import { storeTest } from "./with-store";

const REJECT = { code: "unknown_format", message: "no format reads this record", sample: "x" } as const;

export function rereadingConforms(open: () => Promise<Store>): void {
  const test = storeTest(open);
  const stored = async (store: Store, id: string, readerVersion: string | undefined) => {
    const seen = (key: string, line: number, part?: number) =>
      madeObservation({ key: `${id} ${key}`, line, ...(part && { part }), refs: [`sandbox:default/${id}${key}`] });
    const rows = {
      observations: [seen("a", 1), seen("b", 2), seen("c", 2, 1)],
      rejects: [
        { ...REJECT, line: 2, part: 2 },
        { ...REJECT, line: 3 },
      ],
      archive: [madeBlock(["one"]), madeBlock(["two", "three"], { first: 2 })],
    };
    await deliver(store, { id, ...(readerVersion !== undefined && { readerVersion }) }, rows);
    await store.closeBatch(id, `digest of ${id}`, "python-log", 1);
  };
  const nothing = { observations: [], links: [], facts: [], rollouts: [], planned: [], sightings: [], rejects: [] };
  const stepOf = (batch: string, given: Partial<RereadStep> = {}): RereadStep => ({
    batch,
    gone: { observations: [], rejects: [] },
    rows: { ...nothing, archive: [], touched: [] },
    blocks: [],
    done: null,
    ...given,
  });
  const done = { readerVersion: "2", pieces: [], sightingsStay: null, whole: null };

  describe("reading again", () => {
    test("knows the complete deliveries that other readers read, oldest first, apart from those of long ago", async (store) => {
      await stored(store, "b1", "1");
      await stored(store, "b2", "2");
      await stored(store, "b3", "1");
      await stored(store, "b4", undefined);
      await deliver(store, { id: "b5", readerVersion: "1" }, { archive: [madeBlock(["x"])] });
      expect(await store.readOtherwise("2")).toEqual({ batches: ["b1", "b3"], lines: 6, older: 1 });
      expect(await store.reread(stepOf("b1", { done }))).toBe(true);
      expect(await store.readOtherwise("2")).toEqual({ batches: ["b3"], lines: 3, older: 1 });
    });

    test("knows as what a delivery was sent, and its blocks in order", async (store) => {
      await stored(store, "b1", "1");
      expect(await store.keptOf("b1")).toEqual({ asked: "auto", lines: 3, unkept: 0 });
      expect(await store.keptOf("b9")).toBeNull();
      const [first, second] = await store.blocksOf("b1", 0, 10);
      expect([first?.firstLine, second?.firstLine]).toEqual([1, 2]);
      expect((await store.blocksOf("b1", first?.id ?? 0, 10)).map((block) => block.id)).toEqual([second?.id]);
      expect(await store.blocksOf("b1", 0, 1)).toHaveLength(1);
    });

    test("finds what was made of a record, and of none of its neighbours", async (store) => {
      await stored(store, "b1", "1");
      await stored(store, "b2", "1");
      const found = await store.madeOf("b1", [
        { line: 2, part: 1 },
        { line: 2, part: 2 },
        { line: 3, part: 0 },
      ]);
      expect(found.observations.map((one) => one.observation)).toMatchObject([{ key: "b1 c", line: 2, part: 1 }]);
      expect(found.rejects.map((one) => one.reject)).toEqual([{ ...REJECT, line: 2, part: 2 }]);
    });

    test("replaces it, counts it, and queues what that touches", async (store) => {
      await stored(store, "b1", "1");
      const refs = await store.unsettled(100);
      await store.settle({ refs, subjects: [], incidents: [], groups: [], verdicts: [], queue: [] });
      const before = await store.batch("b1");
      const { observations, rejects } = await store.madeOf("b1", [
        { line: 2, part: 1 },
        { line: 2, part: 2 },
      ]);
      const made = madeObservation({ key: "new", line: 2, part: 2, refs: ["sandbox:default/new"] });
      const gone = { observations: observations.map((one) => one.row), rejects: rejects.map((one) => one.row) };
      const rows = { ...nothing, observations: [made], archive: [], touched: made.refs };
      expect(await store.reread(stepOf("b1", { gone, rows }))).toBe(true);
      expect((await store.unsettled(100)).sort()).toEqual(["sandbox:default/b1c", "sandbox:default/new"]);
      expect(await store.observationsByKey(["b1 b", "b1 c", "new"])).toMatchObject([{ key: "b1 b" }, { key: "new" }]);
      expect((await store.rejects("b1", { limit: 10, cursor: null })).items).toMatchObject([{ line: 3 }]);
      const after = await store.batch("b1");
      expect(after?.observations).toBe(before?.observations);
      expect(after?.rejected).toBe((before?.rejected ?? 0) - 1);
    });

    test("writes a block's lines anew under its id", async (store) => {
      await stored(store, "b1", "1");
      const [block] = await store.blocksOf("b1", 0, 1);
      const id = block?.id ?? 0;
      const { bytes, rawBytes } = madeBlock(["another"]);
      await store.reread(stepOf("b1", { blocks: [{ id, bytes, rawBytes }] }));
      expect([...((await store.archiveBytes([id])).get(id) ?? [])]).toEqual([...bytes]);
    });

    test("of what is all read again leaves only what it says now", async (store) => {
      const link = (to: string) => madeLink("pod:default/p", to);
      const fact = (value: string) => madeFact("pod:default/p", "node", value);
      const links = [link("sandbox:default/1"), link("sandbox:default/2")];
      await deliver(store, { id: "b1", readerVersion: "1" }, { links, facts: [fact("n1")] });
      await store.closeBatch("b1", "d", "auto", 1);
      const counts = { records: 4, observations: 3, rollouts: 0, routine: 1, rejected: 0 };
      const only = { links: links.slice(1), facts: [fact("n0")], rollouts: [], planned: [] };
      const whole = { counts, format: "execd", rulesVersion: "1", only };
      const rows = { ...nothing, ...only, archive: [], touched: [] };
      await store.reread(stepOf("b1", { rows, done: { ...done, sightingsStay: [], whole } }));
      expect(await store.linksFrom(["pod:default/p"])).toEqual([link("sandbox:default/2")]);
      expect(await store.factsOf(["pod:default/p"])).toEqual([fact("n0")]);
      expect(await store.batch("b1")).toMatchObject({ ...counts, format: "execd" });
    });

    test("does nothing to a delivery that was undone", async (store) => {
      await stored(store, "b1", "1");
      await store.dropBatch("b1");
      const version = await store.dataVersion();
      expect(await store.reread(stepOf("b1", { done }))).toBe(false);
      expect(await store.dataVersion()).toBe(version);
    });
  });
}
