import { describe, expect } from "vitest";
import type { Store } from "@/server/domain/store";
import {
  deliver,
  deliverJudged,
  madeIncident,
  madeObservation,
  madeRollout,
  madeSettings,
  madeVerdict,
  NO_COUNTS,
  rowsOf,
  settleIncidents,
} from "./made-rows";
import { storeTest } from "./with-store";

const [S1, S2, S3] = ["sandbox:default/s1", "sandbox:default/s2", "sandbox:default/s3"] as const;
const NOTHING = { refs: [], subjects: [], incidents: [], groups: [], verdicts: [], queue: [] };

export function derivingConforms(open: () => Promise<Store>): void {
  const test = storeTest(open);

  describe("deriving", () => {
    test("touched refs wait, oldest first, until they are settled", async (store) => {
      await deliver(store, { id: "b1" }, { touched: [S3] });
      await store.append("b1", rowsOf({ touched: [S1, S3] }), NO_COUNTS);
      expect(await store.unsettled(10)).toEqual([S3, S1]);
      expect(await store.unsettled(1)).toEqual([S3]);
      expect(await store.unsettledCount()).toBe(2);
      await store.settle({ ...NOTHING, refs: [S3], queue: [S2] });
      expect(await store.unsettled(10)).toEqual([S1, S2]);
    });

    test("a ref that is touched while it is being derived is derived again", async (store) => {
      await deliver(store, { id: "b1" }, { touched: [S1, S2] });
      const taken = await store.unsettled(10);
      await store.append("b1", rowsOf({ touched: [S1] }), NO_COUNTS);
      await store.settle({ ...NOTHING, refs: taken });
      expect(await store.unsettled(10)).toEqual([S1]);
      await store.settle({ ...NOTHING, refs: [S1] });
      expect(await store.unsettled(10)).toEqual([]);
    });

    test("settling replaces the incidents of its subjects and no others", async (store) => {
      const kept = madeIncident({ id: "i2", ref: S2 });
      await settleIncidents(store, [madeIncident({ id: "i1", ref: S1 }), kept]);
      const full = madeIncident({
        id: "i3",
        ref: S1,
        symptoms: ["a", "b"],
        keys: ["k1", "k2"],
        firstAt: null,
        lastAt: null,
        atLeast: true,
      });
      await settleIncidents(store, [full]);
      expect(await store.incidentsOf([S1, S2])).toEqual([kept, full]);
      await store.settle({ ...NOTHING, subjects: [S1] });
      expect(await store.incidentsOf([S1, S2])).toEqual([kept]);
    });

    test("an incident that moves to another subject is there once", async (store) => {
      await settleIncidents(store, [madeIncident({ id: "i1", ref: S1 })]);
      await settleIncidents(store, [madeIncident({ id: "i1", ref: S2 })]);
      expect(await store.incidentsOf([S1])).toEqual([]);
      expect(await store.incidentsOf([S2])).toHaveLength(1);
    });

    test("an incident that changes in part is as it was settled last, in every list and count", async (store) => {
      const first = madeIncident({ id: "i1", ref: S1, node: "n1", class: "exec.spawn_failed", partOf: null });
      const same = madeIncident({ id: "i2", ref: S1, node: "n1" });
      await settleIncidents(store, [first, same]);
      const changed = { ...first, node: "n2", run: "r9", partOf: "i9", firstAt: null, keys: ["k8"], atLeast: true };
      await settleIncidents(store, [changed, same]);
      expect(await store.incidentsOf([S1])).toEqual([changed, same]);
      const listed = async (filter: object) =>
        (await store.listIncidents({ ...filter, withParts: true }, { limit: 9, cursor: null })).items.map((i) => i.id);
      expect([await listed({ nodes: ["n1"] }), await listed({ nodes: ["n2"] })]).toEqual([["i2"], ["i1"]]);
      expect((await store.countIncidents({}, [])).map((row) => row.incidents)).toEqual([1]);
      await settleIncidents(store, [first, { ...same, summary: "said again" }]);
      expect(await store.incidentsOf([S1])).toEqual([first, { ...same, summary: "said again" }]);
    });

    test("settling replaces the verdicts of its groups", async (store) => {
      const [a, b] = [madeRollout({ id: "a", group: "g" }), madeRollout({ id: "b", group: "g" })];
      await deliverJudged(store, "b1", [
        [a, { effective: false }],
        [b, { node: "n1", reason: "because" }],
      ]);
      const { group: _, ...verdict } = madeVerdict(b, { node: "n1", reason: "because" });
      const all = { effectiveOnly: false };
      expect((await store.listRollouts({}, { limit: 9, cursor: null })).items).toEqual([{ ...b, ...verdict }]);
      expect((await store.listRollouts(all, { limit: 9, cursor: null })).items.map((r) => r.id)).toEqual(["b", "a"]);
      await store.settle({ ...NOTHING, groups: ["g"], verdicts: [madeVerdict(a)] });
      expect((await store.listRollouts(all, { limit: 9, cursor: null })).items.map((r) => r.id)).toEqual(["a"]);
    });

    test("a rollout without a verdict, and a verdict without a rollout, are not shown", async (store) => {
      const [a, b] = [madeRollout({ id: "a" }), madeRollout({ id: "b" })];
      await deliver(store, { id: "b1" }, { rollouts: [a] });
      await store.settle({ ...NOTHING, groups: [b.group], verdicts: [madeVerdict(b)] });
      expect(await store.countRollouts({}, [])).toMatchObject([{ key: [], n: 0 }]);
      await deliver(store, { id: "b2" }, { rollouts: [b] });
      expect(await store.countRollouts({}, [])).toMatchObject([{ n: 0 }]);
    });

    test("a verdict stays with the record that another batch brought too, and goes with the last", async (store) => {
      const a = madeRollout({ id: "a" });
      await deliverJudged(store, "b1", [[a, {}]]);
      await deliver(store, { id: "b2" }, { rollouts: [{ ...a, source: "another", origin: "demo" }] });
      await store.dropBatch("b1");
      expect((await store.listRollouts({ origins: ["demo"] }, { limit: 9, cursor: null })).items).toMatchObject([
        { id: "a", source: "another" },
      ]);
      await store.dropBatch("b2");
      expect(await store.countRollouts({ effectiveOnly: false }, [])).toMatchObject([{ n: 0 }]);
    });

    test("an incident id that was given up leads to the last that took its place", async (store) => {
      const settle = (incident: string, replaced: { id: string; by: string }[]) =>
        store.settle({ ...NOTHING, subjects: [S1], incidents: [madeIncident({ id: incident, ref: S1 })], replaced });
      await settle("i1", []);
      await settle("i2", [{ id: "i1", by: "i2" }]);
      await settle("i3", [{ id: "i2", by: "i3" }]);
      expect(await store.supersededBy("i1")).toBe("i3");
      expect(await store.supersededBy("i3")).toBeNull();
      expect(await store.supersededBy("never")).toBeNull();
      await settle("i1", [{ id: "i3", by: "i1" }]);
      expect(await store.supersededBy("i2")).toBe("i1");
      expect(await store.supersededBy("i3")).toBe("i1");
      expect(await store.supersededBy("i1")).toBeNull();
    });

    test("the version of a run grows with each change to it, whoever makes it", async (store) => {
      const versions = [await store.dataVersion(["r1"])];
      const note = async (change: Promise<unknown>) => {
        await change;
        versions.push(await store.dataVersion(["r1"]));
      };
      const a = madeRollout({ id: "a", run: "r1" });
      await note(deliver(store, { id: "b1" }, { rollouts: [a] }));
      await note(store.settle({ ...NOTHING, groups: [a.group], verdicts: [madeVerdict(a)] }));
      await note(settleIncidents(store, [madeIncident({ id: "i1", ref: S1, run: "r1" })]));
      await note(settleIncidents(store, [madeIncident({ id: "i1", ref: S1, run: null })]));
      await note(store.putRunSettings(madeSettings({ id: "r1" })));
      await note(store.dropBatch("b1"));
      expect(versions).toEqual([...new Set(versions)].sort((x, y) => x - y));
    });

    test("what is still queued survives being asked for", async (store) => {
      await deliver(store, { id: "b1" }, { observations: [madeObservation({ key: "k1" })], touched: [S1] });
      await store.unsettled(10);
      expect(await store.unsettled(10)).toEqual([S1]);
    });
  });
}
