import { describe, expect } from "vitest";
import type { Store } from "@/server/domain/store";
import {
  deliver,
  deliverWhole,
  madeFact,
  madeLink,
  madeObservation,
  madePlan,
  madeRollout,
  madeSettings,
  madeSighting,
  madeVerdict,
  T0,
} from "./made-rows";
import { storeTest } from "./with-store";

const [S1, P1] = ["sandbox:default/s1", "pod:default/p1"] as const;

export function undoConforms(open: () => Promise<Store>): void {
  const test = storeTest(open);
  const queued = async (store: Store) => (await store.unsettled(1000)).sort();

  describe("undo", () => {
    test("dropping a batch queues everything that its rows were about", async (store) => {
      await deliver(
        store,
        { id: "b1" },
        {
          observations: [madeObservation({ key: "k1", refs: [S1, "node:default/n1@1"] })],
          links: [madeLink(P1, "sandbox:default/s2")],
          facts: [madeFact("pod:default/p9", "node", "n1")],
          rollouts: [madeRollout({ id: "a", group: "g" })],
        },
      );
      await store.dropBatch("b1");
      expect(await queued(store)).toEqual([
        "group:default/g",
        "node:default/n1@1",
        P1,
        "pod:default/p9",
        "rollout:default/a",
        S1,
        "sandbox:default/s2",
      ]);
      expect(await store.batch("b1")).toBeNull();
      expect(await store.runFacts({})).toEqual([]);
      expect(await store.nodes({})).toEqual([]);
    });

    test("dropping a batch leaves nothing of many rows, and all of the others", async (store) => {
      const many = (batch: string) =>
        Array.from({ length: 6000 }, (_, i) =>
          madeObservation({ key: `${batch}-${i}`, refs: [`sandbox:default/${i % 50}`] }),
        );
      const sizes = async () => (await store.countObservations({})).reduce((sum, row) => sum + row.n, 0);
      await deliver(store, { id: "b1" }, { observations: many("b1") });
      await deliver(store, { id: "b2" }, { observations: many("b2").slice(0, 10) });
      await store.dropBatch("b1");
      expect(await sizes()).toBe(10);
      expect(await store.unsettledCount()).toBe(50);
    });

    test("dropping a run takes its rows out of shared batches and its own batches whole", async (store) => {
      const [mine, theirs] = [madeRollout({ id: "a", run: "r1" }), madeRollout({ id: "b", run: "r2" })];
      await deliver(
        store,
        { id: "shared" },
        {
          observations: [madeObservation({ key: "k1", run: "r1" }), madeObservation({ key: "k2", run: "r2" })],
          facts: [madeFact(S1, "run", "r1"), madeFact(S1, "run", "r2", { at: 1 }), madeFact(S1, "pool", "r1")],
          rollouts: [mine, theirs],
          planned: [madePlan("g1"), madePlan("g2", { run: "r2" })],
          sightings: [madeSighting({ run: "r1" }), madeSighting({ run: "r2" })],
        },
      );
      await store.settle({
        refs: [],
        subjects: [],
        incidents: [],
        groups: [],
        verdicts: [madeVerdict(mine), madeVerdict(theirs)],
        queue: [],
      });
      await store.closeBatch("shared", "d1", "gym", T0);
      await deliverWhole(store, { id: "own", run: "r1" }, { links: [madeLink(P1, S1)] });
      await store.putRunSettings(madeSettings({ id: "r1" }));
      await store.dropRun(["r1"]);
      expect((await store.runFacts({})).map((one) => one.run)).toEqual(["r2"]);
      expect((await store.observationsByKey(["k1", "k2"])).map((o) => o.key)).toEqual(["k2"]);
      expect((await store.factsOf([S1])).map((fact) => [fact.name, fact.value])).toEqual([
        ["pool", "r1"],
        ["run", "r2"],
      ]);
      expect(await store.countRollouts({ effectiveOnly: false }, ["run"])).toMatchObject([{ key: ["r2"], n: 1 }]);
      expect(await store.countPlanned(["r1", "r2"])).toEqual({ planned: 1, missing: 1 });
      expect(await store.countSightings({})).toEqual({ refs: 1, lines: 10 });
      expect(await store.linksTo([S1])).toEqual([]);
      expect(await store.runSettings("r1")).toBeNull();
      expect(await store.batch("own")).toBeNull();
      expect(await queued(store)).toEqual(
        expect.arrayContaining([S1, P1, "rollout:default/a", "group:default/group-of-a"]),
      );
    });

    test("a batch that lost rows with a run may be delivered again", async (store) => {
      await deliver(
        store,
        { id: "b1" },
        { rollouts: [madeRollout({ id: "a", run: "r1" }), madeRollout({ id: "b", run: "r2" })] },
      );
      await store.closeBatch("b1", "d1", "gym", T0);
      await store.dropRun(["r1"]);
      expect(await store.batchByDigest("d1")).toBeNull();
      await deliver(store, { id: "b2" }, { rollouts: [madeRollout({ id: "a", run: "r1" })] });
      expect(await store.closeBatch("b2", "d1", "gym", T0)).toEqual({ duplicateOf: null });
    });

    test("dropping no runs drops nothing", async (store) => {
      await deliver(store, { id: "b1" }, { rollouts: [madeRollout({ id: "a" })] });
      await store.dropRun([]);
      expect(await store.rolloutsOfIds(["a"])).toHaveLength(1);
    });

    test("dropping a run or an origin leaves whole what is still coming in, or begins meanwhile", async (store) => {
      const rowsOf = (id: string) => ({
        observations: [madeObservation({ key: `k-${id}`, run: "r1", origin: "demo" })],
        rollouts: [madeRollout({ id, run: "r1", origin: "demo" })],
        planned: [madePlan(`g-${id}`, { run: "r1" })],
      });
      await deliverWhole(store, { id: "over", run: "r1", origin: "demo" }, rowsOf("over"));
      await deliver(store, { id: "coming", run: "r1", origin: "demo" }, rowsOf("coming"));
      await deliver(store, { id: "shared" }, rowsOf("shared"));
      const dropping = store.dropRun(["r1"]);
      await deliver(store, { id: "begun", run: "r1" }, rowsOf("begun"));
      await dropping;
      await store.dropOrigin("demo");
      const ids = ["coming", "shared", "begun"];
      for (const id of ids) await store.closeBatch(id, `d-${id}`, "gym", T0);
      expect(await store.batch("over")).toBeNull();
      expect((await store.rolloutsOfIds(["over", ...ids])).map((row) => row.id).sort()).toEqual([...ids].sort());
      const keys = ["over", ...ids].map((id) => `k-${id}`);
      expect(await store.observationsByKey(keys)).toHaveLength(3);
      expect((await store.countPlanned(["r1"])).planned).toBe(3);
      for (const id of ids) expect(await store.batchByDigest(`d-${id}`)).toMatchObject({ id, rollouts: 0 });
      await store.dropRun(["r1"]);
      expect(await store.rolloutsOfIds(ids)).toEqual([]);
    });

    test("dropping an origin leaves the others, in shared batches too", async (store) => {
      await deliverWhole(
        store,
        { id: "b1", origin: "demo" },
        {
          observations: [madeObservation({ key: "k1", origin: "demo", node: "n1" })],
          planned: [madePlan("g1")],
        },
      );
      await deliverWhole(
        store,
        { id: "b2" },
        {
          observations: [madeObservation({ key: "k1", origin: "demo", line: 2 }), madeObservation({ key: "k2" })],
          rollouts: [madeRollout({ id: "a", origin: "demo" }), madeRollout({ id: "b" })],
        },
      );
      await store.dropOrigin("demo");
      expect((await store.observationsByKey(["k1", "k2"])).map((o) => o.key)).toEqual(["k2"]);
      expect((await store.rolloutsOfIds(["a", "b"])).map((r) => r.id)).toEqual(["b"]);
      expect(await store.batch("b1")).toBeNull();
      expect(await store.nodes({})).toEqual([]);
      expect(await store.countPlanned(["r1"])).toEqual({ planned: 0, missing: 0 });
    });
  });
}
