import { describe, expect } from "vitest";
import type { Store } from "@/server/domain/store";
import {
  deliver,
  deliverJudged,
  madeFact,
  madeIncident,
  madeLink,
  madeObservation,
  madeRollout,
  madeSighting,
  madeVerdict,
  settleIncidents,
  T0,
} from "./made-rows";
import { storeTest } from "./with-store";

const HOUR = 3_600_000;
const ALL = { limit: 100, cursor: null };
const NOTHING = { refs: [], subjects: [], incidents: [], groups: [], verdicts: [], queue: [] };

export function retentionConforms(open: () => Promise<Store>): void {
  const test = storeTest(open);
  const keysOf = async (store: Store, before: number, timed = true) =>
    (await store.observationsBefore(before, timed, ALL)).items.map((one) => one.key);

  describe("retention", () => {
    test("finds counted evidence from before a time, oldest first, page by page while it goes", async (store) => {
      const at = { c: 3, a: 1, b: 2, d: 9 };
      const observations = Object.entries(at).map(([key, hour]) => madeObservation({ key, at: T0 + hour * HOUR }));
      await deliver(store, { id: "b1" }, { observations });
      await deliver(store, { id: "b2" }, { observations: [madeObservation({ key: "a", at: T0 + HOUR })] });
      const first = await store.observationsBefore(T0 + 4 * HOUR, true, { limit: 2, cursor: null });
      expect(first.items.map((one) => one.key)).toEqual(["a", "b"]);
      await store.dropSubjects({ keys: ["a"], refs: [] });
      const second = await store.observationsBefore(T0 + 4 * HOUR, true, { limit: 2, cursor: first.next });
      expect([second.items.map((one) => one.key), second.next]).toEqual([["c"], null]);
      expect(await store.countBefore(T0 + 4 * HOUR)).toMatchObject({ observations: 2, rollouts: 0, archiveBlocks: 0 });
    });

    test("takes evidence without a time by when it came", async (store) => {
      const untimed = (key: string) => ({ observations: [madeObservation({ key, at: null })] });
      await deliver(store, { id: "b1", receivedAt: T0 }, untimed("old"));
      await deliver(store, { id: "b2", receivedAt: T0 + 5 * HOUR }, untimed("new"));
      expect(await keysOf(store, T0 + HOUR, false)).toEqual(["old"]);
      expect(await keysOf(store, T0 + HOUR)).toEqual([]);
    });

    test("drops a subject's rows of all deliveries, its incidents, links and facts, and queues nothing", async (store) => {
      const [gone, kept] = ["sandbox:default/gone", "sandbox:default/kept"] as const;
      for (const id of ["b1", "b2"]) {
        await deliver(
          store,
          { id },
          {
            observations: [madeObservation({ key: "k1", refs: [gone] }), madeObservation({ key: "k2", refs: [kept] })],
            links: [madeLink(gone, kept)],
            facts: [madeFact(gone, "node", "n1"), madeFact(kept, "node", "n2")],
          },
        );
      }
      await settleIncidents(store, [madeIncident({ id: "i1", ref: gone }), madeIncident({ id: "i2", ref: kept })]);
      await store.closeBatch("b1", "digest", "auto", T0);
      await store.settle({ ...NOTHING, refs: await store.unsettled(100) });
      await store.dropSubjects({ keys: ["k1"], refs: [gone] });
      expect(await store.observationsOf([gone])).toEqual([]);
      expect(await store.observationsByKey(["k1", "k2"])).toMatchObject([{ key: "k2" }]);
      expect((await store.factsOf([gone, kept])).map((fact) => fact.ref)).toEqual([kept]);
      expect(await store.linksFrom([gone])).toEqual([]);
      expect((await store.listIncidents({}, ALL)).items.map((one) => one.id)).toEqual(["i2"]);
      expect(await store.unsettledCount()).toBe(0);
      expect((await store.batchByDigest("digest"))?.id).toBe("b1");
    });

    test("lets verdicts from before a time stand, whatever is derived later", async (store) => {
      const old = madeRollout({ id: "old", group: "g-old" });
      const fresh = madeRollout({ id: "new", group: "g-new" });
      const lost = { verdict: "infra_failed" as const, incident: "i1" };
      await deliverJudged(store, "b1", [
        [old, { ...lost, at: T0 }],
        [fresh, { ...lost, at: T0 + 9 * HOUR }],
      ]);
      await settleIncidents(store, [madeIncident({ id: "i1", ref: "sandbox:default/s1" })]);
      expect((await store.countBefore(T0 + HOUR)).rollouts).toBe(1);
      await store.freezeBefore(T0 + HOUR);
      await store.dropSubjects({ keys: [], refs: ["sandbox:default/s1"] });
      const now = [old, fresh].map((record) => madeVerdict(record, { verdict: "failed" }));
      await store.settle({ ...NOTHING, groups: ["g-old", "g-new"], verdicts: now });
      const rows = (await store.listRollouts({}, ALL)).items;
      expect(rows.find((one) => one.id === "old")).toMatchObject({
        verdict: "infra_failed",
        frozen: true,
        incident: null,
      });
      expect(rows.find((one) => one.id === "new")).toMatchObject({ verdict: "failed" });
      expect(rows.find((one) => one.id === "new")?.frozen).toBeUndefined();
    });

    test("drops what says nothing of a subject, and deliveries of which nothing is left", async (store) => {
      const reject = { line: 1, code: "invalid_json", message: "m", sample: "s" } as const;
      await deliver(
        store,
        { id: "empty", receivedAt: T0 },
        { rejects: [reject], sightings: [madeSighting({ hour: T0 })] },
      );
      await store.closeBatch("empty", "d1", "auto", T0);
      await deliver(
        store,
        { id: "full", receivedAt: T0 },
        { rejects: [reject], observations: [madeObservation({ key: "k" })] },
      );
      await store.closeBatch("full", "d2", "auto", T0);
      await deliver(store, { id: "new", receivedAt: T0 + 9 * HOUR }, { rejects: [reject] });
      await store.closeBatch("new", "d3", "auto", T0);
      const shared = madeIncident({ id: "s1", ref: "shared:default/node/n1@1", firstAt: T0, lastAt: T0 });
      await settleIncidents(store, [
        shared,
        madeIncident({ id: "i1", ref: "sandbox:default/s1", firstAt: T0, lastAt: T0 }),
      ]);
      await store.dropBefore(T0 + HOUR);
      expect((await store.batches({}, ALL)).items.map((one) => one.id).sort()).toEqual(["full", "new"]);
      expect((await store.rejects("full", ALL)).items).toEqual([]);
      expect((await store.rejects("new", ALL)).items).toHaveLength(1);
      expect((await store.listIncidents({}, ALL)).items.map((one) => one.id)).toEqual(["i1"]);
      expect(await store.countSightings({})).toEqual({ refs: 0, lines: 0 });
    });
  });
}
