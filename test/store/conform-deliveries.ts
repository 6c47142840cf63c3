import { describe, expect } from "vitest";
import type { Store } from "@/server/domain/store";
import { deliver, madeBatch, madeObservation, madeRollout, madeSettings, NO_COUNTS, rowsOf, T0 } from "./made-rows";
import { storeTest } from "./with-store";

export function deliveriesConform(open: () => Promise<Store>): void {
  const test = storeTest(open);

  describe("deliveries", () => {
    test("a batch is found as it was opened, with the counts of its appends added up", async (store) => {
      const batch = madeBatch({ id: "b1", run: "r1", node: "n1", tz: "UTC", name: "rows.jsonl" });
      await store.openBatch(batch);
      await store.append("b1", rowsOf({ rollouts: [madeRollout({ id: "a" })] }), {
        ...NO_COUNTS,
        bytes: 7,
        rollouts: 1,
      });
      await store.append("b1", rowsOf({ rollouts: [madeRollout({ id: "a" })] }), {
        ...NO_COUNTS,
        bytes: 5,
        rejected: 2,
      });
      expect(await store.batch("b1")).toEqual({ ...batch, bytes: 12, rollouts: 1, rejected: 2, duplicates: 1 });
      expect(await store.batch("b2")).toBeNull();
    });

    test("a batch that is not there, or complete, takes no rows", async (store) => {
      await expect(store.append("b1", rowsOf({}), NO_COUNTS)).rejects.toMatchObject({ code: "not_found" });
      await expect(store.dropBatch("b1")).rejects.toMatchObject({ code: "not_found" });
      await deliver(store, { id: "b1" }, {});
      await store.closeBatch("b1", "d1", "gym", T0);
      await expect(store.append("b1", rowsOf({}), NO_COUNTS)).rejects.toMatchObject({ code: "conflict" });
      await expect(store.closeBatch("b1", "d1", "gym", T0)).rejects.toMatchObject({ code: "conflict" });
      await expect(store.openBatch(madeBatch({ id: "b1" }))).rejects.toMatchObject({ code: "conflict" });
    });

    test("completing a batch whose bytes are there already drops it and names the other", async (store) => {
      await deliver(store, { id: "b1" }, { observations: [madeObservation({ key: "k1" })] });
      expect(await store.closeBatch("b1", "d1", "execd", T0 + 1)).toEqual({ duplicateOf: null });
      await deliver(
        store,
        { id: "b2" },
        { observations: [madeObservation({ key: "k1" }), madeObservation({ key: "k2" })] },
      );
      expect(await store.closeBatch("b2", "d1", "execd", T0 + 2)).toEqual({ duplicateOf: "b1" });
      expect(await store.batch("b2")).toBeNull();
      expect((await store.observationsByKey(["k1", "k2"])).map((o) => o.key)).toEqual(["k1"]);
      expect(await store.batchByDigest("d1")).toMatchObject({
        id: "b1",
        state: "complete",
        format: "execd",
        completedAt: T0 + 1,
      });
    });

    test("only a complete batch is found by its digest", async (store) => {
      await store.openBatch(madeBatch({ id: "b1", digest: "d1" }));
      expect(await store.batchByDigest("d1")).toBeNull();
    });

    test("batches come newest first, filtered and in pages", async (store) => {
      for (const [id, receivedAt, run] of [
        ["b1", 1, "r1"],
        ["b2", 3, "r2"],
        ["b3", 2, "r1"],
        ["b4", 3, null],
      ] as const) {
        await store.openBatch(madeBatch({ id, receivedAt, run }));
      }
      const first = await store.batches({}, { limit: 3, cursor: null });
      expect(first.items.map((b) => b.id)).toEqual(["b4", "b2", "b3"]);
      const second = await store.batches({}, { limit: 3, cursor: first.next });
      expect(second).toMatchObject({ items: [{ id: "b1" }], next: null });
      const ofRun = await store.batches({ runs: ["r1"], states: ["receiving"] }, { limit: 10, cursor: null });
      expect(ofRun.items.map((b) => b.id)).toEqual(["b3", "b1"]);
      expect((await store.batches({ origins: ["demo"] }, { limit: 10, cursor: null })).items).toEqual([]);
    });

    test("rejects come by line in pages", async (store) => {
      const rejects = [9, 2, 5].map((line) => ({
        line,
        code: "incomplete" as const,
        message: "cut",
        sample: `${line}`,
      }));
      await deliver(store, { id: "b1" }, { rejects });
      const first = await store.rejects("b1", { limit: 2, cursor: null });
      expect(first.items.map((r) => r.line)).toEqual([2, 5]);
      expect((await store.rejects("b1", { limit: 2, cursor: first.next })).items).toEqual([rejects[0]]);
      expect((await store.rejects("b9", { limit: 2, cursor: null })).items).toEqual([]);
    });

    test("a cursor of another list, or of none, is invalid", async (store) => {
      for (const id of ["b1", "b2"]) await store.openBatch(madeBatch({ id }));
      const { next } = await store.batches({}, { limit: 1, cursor: null });
      for (const cursor of [next, "", "x", "bnVsbA", "WzEsMl0"]) {
        await expect(store.listIncidents({}, { limit: 1, cursor })).rejects.toMatchObject({ code: "invalid" });
      }
    });

    test("limits are moved into 1 to 1000", async (store) => {
      for (const id of ["b1", "b2"]) await store.openBatch(madeBatch({ id }));
      expect((await store.batches({}, { limit: 0, cursor: null })).items).toHaveLength(1);
      expect((await store.batches({}, { limit: 5000, cursor: null })).items).toHaveLength(2);
    });
  });

  describe("control", () => {
    test("run settings and settings are kept, replaced and removed", async (store) => {
      const full = madeSettings({
        id: "r1",
        name: "R",
        planned: 9,
        config: { "a.b": 1.5 },
        labels: { k: "v" },
        aliases: ["x"],
      });
      await store.putRunSettings(madeSettings({ id: "r2" }));
      await store.putRunSettings(madeSettings({ id: "r1" }));
      await store.putRunSettings(full);
      expect(await store.runSettings("r1")).toEqual(full);
      expect((await store.allRunSettings()).map((s) => s.id)).toEqual(["r1", "r2"]);
      await store.deleteRunSettings("r1");
      expect(await store.runSettings("r1")).toBeNull();
      await store.putSetting("installation", "one");
      await store.putSetting("installation", "two");
      expect([await store.setting("installation"), await store.setting("other")]).toEqual(["two", null]);
    });

    test("every change moves the data version on, no question does", async (store) => {
      const before = await store.dataVersion();
      await store.batches({}, { limit: 1, cursor: null });
      expect(await store.dataVersion()).toBe(before);
      await store.openBatch(madeBatch({ id: "b1" }));
      const opened = await store.dataVersion();
      expect(opened).toBeGreaterThan(before);
      await store.putSetting("a", "b");
      expect(await store.dataVersion()).toBeGreaterThan(opened);
    });
  });
}
