import { describe, expect } from "vitest";
import type { Judgement } from "@/server/domain/judgement";
import type { Store } from "@/server/domain/store";
import { deliver, deliverJudged, madeObservation, madeRollout } from "./made-rows";
import { storeTest } from "./with-store";

const OTHER: Judgement = { class: "pod.oom_killed", rule: "pod.oom", subCause: "cgroup", confidence: "likely" };
const SAME: Judgement = { class: "exec.spawn_failed", rule: "exec.spawn", subCause: null, confidence: "certain" };

export function judgingConforms(open: () => Promise<Store>): void {
  const test = storeTest(open);
  const stored = async (store: Store, id: string, rulesVersion: string, keys: string[]) => {
    const observations = keys.map((key) => madeObservation({ key, refs: [`sandbox:default/${key}`], rulesVersion }));
    await deliver(store, { id }, { observations });
    await store.closeBatch(id, `digest of ${id}`, "auto", 1);
  };
  const rowsOf = async (store: Store, batch: string) =>
    (await store.rowsJudgedOtherwise(batch, "2", { limit: 1000, cursor: null })).items;

  describe("judging anew", () => {
    test("knows the complete deliveries that other rules judged, oldest first", async (store) => {
      await stored(store, "b1", "1", ["a", "b"]);
      await stored(store, "b2", "2", ["c"]);
      await stored(store, "b3", "1", ["d"]);
      await deliver(store, { id: "b4" }, { observations: [madeObservation({ key: "e", rulesVersion: "1" })] });
      await deliver(store, { id: "b5" }, { rollouts: [madeRollout({ id: "r" })] });
      await store.closeBatch("b5", "digest of b5", "auto", 1);
      expect((await store.judgedOtherwise("2")).batches).toEqual(["b1", "b3"]);
      expect((await store.judgedOtherwise("1")).batches).toEqual(["b2"]);
    });

    test("goes through a delivery page by page while its rows change", async (store) => {
      await stored(store, "b1", "1", ["a", "b", "c"]);
      const first = await store.rowsJudgedOtherwise("b1", "2", { limit: 2, cursor: null });
      await store.rejudge(
        "2",
        first.items.map(({ row }) => ({ row, judgement: OTHER })),
        null,
      );
      const second = await store.rowsJudgedOtherwise("b1", "2", { limit: 2, cursor: first.next });
      expect([...first.items, ...second.items].map((one) => one.observation.key)).toEqual(["a", "b", "c"]);
      expect(second.next).toBeNull();
      expect((await rowsOf(store, "b1")).map((one) => one.observation.key)).toEqual(["c"]);
    });

    test("replaces what was concluded, and queues only what changed", async (store) => {
      await stored(store, "b1", "1", ["a", "b"]);
      await store.settle({
        refs: await store.unsettled(100),
        subjects: [],
        incidents: [],
        groups: [],
        verdicts: [],
        queue: [],
      });
      const [a, b] = await rowsOf(store, "b1");
      await store.rejudge(
        "2",
        [
          { row: a?.row ?? "", judgement: OTHER },
          { row: b?.row ?? "", judgement: SAME },
        ],
        "b1",
      );
      expect(await store.unsettled(100)).toEqual(["sandbox:default/a"]);
      expect(await store.observationsByKey(["a", "b"])).toMatchObject([
        { key: "a", ...OTHER, rulesVersion: "2" },
        { key: "b", ...SAME, rulesVersion: "2" },
      ]);
      expect(await store.judgedOtherwise("2")).toEqual({ batches: [], observations: 0 });
      expect(await store.countObservations({ classes: ["pod.oom_killed"] })).toMatchObject([{ n: 1 }]);
    });

    test("judges every delivery's row of the same evidence, and leaves out what has gone", async (store) => {
      await stored(store, "b1", "1", ["a"]);
      await stored(store, "b2", "1", ["a"]);
      const [first] = await rowsOf(store, "b1");
      const [second] = await rowsOf(store, "b2");
      await store.dropBatch("b1");
      const rows = [first, second].map((one) => ({ row: one?.row ?? "", judgement: OTHER }));
      await store.rejudge("2", rows, "b2");
      expect(await store.observationsByKey(["a"])).toMatchObject([{ class: "pod.oom_killed" }]);
    });

    test("finds rollouts by id", async (store) => {
      const records = ["x", "y", "z"].map((id) => madeRollout({ id, group: id }));
      await deliverJudged(
        store,
        "b1",
        records.map((record) => [record, {}] as const),
      );
      const found = await store.listRollouts({ ids: ["x", "z"] }, { limit: 10, cursor: null });
      expect(found.items.map((one) => one.id).sort()).toEqual(["x", "z"]);
      expect(await store.countRollouts({ ids: ["y"] }, [])).toMatchObject([{ n: 1 }]);
    });
  });
}
