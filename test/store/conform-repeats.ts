import { describe, expect } from "vitest";
import type { Store } from "@/server/domain/store";
import { deliver, madeFact, madeLink, madeObservation, madePlan, madeRollout, madeSighting, T0 } from "./made-rows";
import { storeTest } from "./with-store";

const S1 = "sandbox:default/s1";

export function repeatsConform(open: () => Promise<Store>): void {
  const test = storeTest(open);

  describe("rows that several batches bring", () => {
    test("an observation comes back whole, under each of its refs", async (store) => {
      const said = madeObservation({
        key: "k1",
        refs: [S1, "pod:default/p1"],
        atAssumed: true,
        at: null,
        run: "r1",
        node: "n1",
        label: "CommandExecError: 1",
        subCause: "disk",
        text: "a \u0000 b \ud83d\ude00",
        evidence: { layer: "execd", kind: "exec_event", message: "other than the text", exitCode: 0, sampled: false },
      });
      const bare = madeObservation({
        key: "k2",
        refs: ["node:default/n1@1"],
        class: null,
        evidence: { layer: "server", kind: "line" },
      });
      await deliver(store, { id: "b1" }, { observations: [said, bare] });
      expect(await store.observationsOf([S1])).toStrictEqual([said]);
      expect(await store.observationsOf(["pod:default/p1", S1])).toStrictEqual([said]);
      expect(await store.observationsByKey(["k2", "k1", "k9"])).toStrictEqual([said, bare]);
      expect(await store.observationsOf(["sandbox:default/other"])).toEqual([]);
    });

    test("an observation of several batches counts once and stays when one of them goes", async (store) => {
      const observation = madeObservation({ key: "k1", run: "r1" });
      expect(await deliver(store, { id: "b1" }, { observations: [observation] })).toEqual({ duplicates: 0 });
      expect(await deliver(store, { id: "b2" }, { observations: [observation] })).toEqual({ duplicates: 1 });
      expect(await store.observationsOf([S1])).toHaveLength(1);
      expect(await store.countObservations({ runs: ["r1"] })).toMatchObject([{ n: 1 }]);
      await store.dropBatch("b1");
      expect(await store.observationsOf([S1])).toEqual([observation]);
      await store.dropBatch("b2");
      expect(await store.observationsOf([S1])).toEqual([]);
    });

    test("of observations that differ the one with the greatest count wins, whichever came first", async (store) => {
      const once = madeObservation({ key: "k1", line: 1, evidence: { layer: "kubernetes", kind: "event", count: 1 } });
      const often = madeObservation({ key: "k1", line: 9, evidence: { layer: "kubernetes", kind: "event", count: 5 } });
      await deliver(store, { id: "b1" }, { observations: [often] });
      await deliver(store, { id: "b2" }, { observations: [once] });
      expect(await store.observationsOf([S1])).toEqual([often]);
      await store.dropBatch("b1");
      expect(await store.observationsOf([S1])).toEqual([once]);
    });

    test("an observation that moves to another subject queues the one that it leaves", async (store) => {
      await deliver(store, { id: "b1" }, { observations: [madeObservation({ key: "k1", line: 2 })], touched: [] });
      const moved = madeObservation({ key: "k1", line: 1, refs: ["sandbox:default/s2"] });
      await deliver(store, { id: "b2" }, { observations: [moved], touched: ["sandbox:default/s2"] });
      expect(await store.observationsOf([S1])).toEqual([]);
      expect((await store.unsettled(10)).sort()).toEqual([S1, "sandbox:default/s2"]);
    });

    test("links are found from both ends, each once", async (store) => {
      const held = madeLink("ip:default/10.0.0.1", "pod:default/p1", { since: T0, until: T0 + 5, how: "ip" });
      const open = madeLink("ip:default/10.0.0.1", "pod:default/p1", { since: T0, how: "ip" });
      const up = madeLink("pod:default/p1", S1);
      await deliver(store, { id: "b1" }, { links: [held, up, up] });
      await deliver(store, { id: "b2" }, { links: [held, open] });
      expect(await store.linksFrom(["ip:default/10.0.0.1"])).toHaveLength(2);
      expect(await store.linksTo(["pod:default/p1"])).toEqual(expect.arrayContaining([held, open]));
      expect(await store.linksTo([S1])).toEqual([up]);
      await store.dropBatch("b1");
      expect(await store.linksTo(["pod:default/p1"])).toEqual(expect.arrayContaining([held, open]));
      expect(await store.linksTo([S1])).toEqual([]);
    });

    test("of facts the highest rank wins, then the latest, then the greatest, whatever their order", async (store) => {
      const node = (value: string, rank: number, at: number | null) => madeFact(S1, "node", value, { rank, at });
      await deliver(store, { id: "b1" }, { facts: [node("n2", 5, 10), node("n9", 1, 99), node("n2", 2, 50)] });
      await deliver(store, { id: "b2" }, { facts: [node("n3", 5, 10), node("n8", 5, null), madeFact(S1, "ttlS", 30)] });
      await deliver(store, { id: "b3" }, { facts: [node("n1", 5, 11), madeFact(S1, "deleting", true)] });
      const winning = async () => (await store.factsOf([S1])).map((fact) => [fact.name, fact.value]);
      expect(await winning()).toEqual([
        ["deleting", true],
        ["node", "n1"],
        ["ttlS", 30],
      ]);
      await store.dropBatch("b3");
      expect(await winning()).toEqual([
        ["node", "n3"],
        ["ttlS", 30],
      ]);
      await store.dropBatch("b2");
      expect(await winning()).toEqual([["node", "n2"]]);
    });

    test("rollout records are told apart by id and content", async (store) => {
      const one = madeRollout({
        id: "a",
        group: "g",
        config: { x: 1 },
        sandboxes: ["s1"],
        masked: false,
        hasPatch: true,
      });
      const other = madeRollout({ id: "a", group: "g", content: "z", reward: null, scored: false });
      expect(await deliver(store, { id: "b1" }, { rollouts: [one, other] })).toEqual({ duplicates: 0 });
      expect(await deliver(store, { id: "b2" }, { rollouts: [one] })).toEqual({ duplicates: 1 });
      expect(await store.rolloutsOfGroups(["g"])).toEqual([one, other]);
      expect(await store.rolloutsOfIds(["a", "b"])).toEqual([one, other]);
      await store.dropBatch("b1");
      expect(await store.rolloutsOfGroups(["g"])).toEqual([one]);
    });

    test("planned rollouts count once, and those without a record are missing", async (store) => {
      const plans = ["g1", "g2", "g3"].map((group, index) => madePlan(group, { index }));
      await deliver(store, { id: "b1" }, { planned: plans });
      await deliver(
        store,
        { id: "b2" },
        { planned: plans.slice(1), rollouts: [madeRollout({ id: "a", group: "g2" })] },
      );
      expect(await store.countPlanned(["r1"])).toEqual({ planned: 3, missing: 2 });
      expect(await store.countPlanned([])).toEqual({ planned: 0, missing: 0 });
      const first = await store.missingRollouts(["r1", "r2"], { limit: 1, cursor: null });
      expect(first.items).toEqual([plans[0]]);
      expect(await store.missingRollouts(["r1"], { limit: 1, cursor: first.next })).toEqual({
        items: [plans[2]],
        next: null,
      });
    });

    test("sightings add up per thing and hour", async (store) => {
      const sightings = [
        madeSighting({}),
        madeSighting({ lines: 5 }),
        madeSighting({ ref: "pod:default/p2", run: "r1", hour: null }),
      ];
      await deliver(store, { id: "b1" }, { sightings });
      expect(await store.countSightings({})).toEqual({ refs: 2, lines: 25 });
      expect(await store.countSightings({ runs: ["r1"], formats: ["execd"] })).toEqual({ refs: 1, lines: 10 });
      expect(await store.countSightings({ from: T0 })).toEqual({ refs: 1, lines: 15 });
      expect(await store.countSightings({ origins: ["demo"] })).toEqual({ refs: 0, lines: 0 });
    });
  });
}
