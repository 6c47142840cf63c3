import { describe, expect } from "vitest";
import type { RolloutDim, Store } from "@/server/domain/store";
import {
  deliver,
  deliverJudged,
  madeFact,
  madeIncident,
  madeObservation,
  madePlan,
  madeRollout,
  settleIncidents,
  T0,
} from "./made-rows";
import { storeTest } from "./with-store";

const HOUR = 3_600_000;
const FIRST = { limit: 100, cursor: null };

async function seedRollouts(store: Store): Promise<void> {
  const lost = { verdict: "infra_failed", class: "pod.oom_killed", family: "oom" } as const;
  await deliverJudged(store, "b1", [
    [madeRollout({ id: "a", task: "Straße-1", masked: true }), { node: "n1", absorbed: 2, configKey: "c1" }],
    [madeRollout({ id: "b", reward: 0.25, error: "BOOM happened" }), { ...lost, node: "n1", at: T0 + HOUR }],
    [madeRollout({ id: "c", reward: null }), { verdict: "not_scored", at: null }],
    [madeRollout({ id: "d", run: "r2", origin: "canary", masked: false }), { ...lost, node: "n2", at: -1 }],
    [madeRollout({ id: "e", run: null }), { effective: false }],
  ]);
}

export function questionsConform(open: () => Promise<Store>): void {
  const test = storeTest(open);

  describe("questions", () => {
    test("rollouts are counted by any dimensions, missing values as null", async (store) => {
      await seedRollouts(store);
      expect(await store.countRollouts({}, ["run", "verdict"])).toEqual([
        { key: ["r1", "infra_failed"], n: 1, rewarded: 1, rewardSum: 0.25, passed: 0, infraFailed: 1, absorbed: 0 },
        { key: ["r1", "not_scored"], n: 1, rewarded: 0, rewardSum: 0, passed: 0, infraFailed: 0, absorbed: 0 },
        { key: ["r1", "passed"], n: 1, rewarded: 1, rewardSum: 1, passed: 1, infraFailed: 0, absorbed: 2 },
        { key: ["r2", "infra_failed"], n: 1, rewarded: 1, rewardSum: 1, passed: 0, infraFailed: 1, absorbed: 0 },
      ]);
      const masked = await store.countRollouts({ effectiveOnly: false }, ["masked"]);
      expect(masked.map((row) => [row.key[0], row.n])).toEqual([
        [null, 3],
        ["false", 1],
        ["true", 1],
      ]);
    });

    test("buckets begin at multiples of their width, before 1970 too", async (store) => {
      await seedRollouts(store);
      const buckets = (await store.countRollouts({}, ["bucket"], { bucketMs: HOUR })).map((row) => row.key[0]);
      expect(buckets).toEqual([null, "-3600000", String(T0), String(T0 + HOUR)]);
    });

    test("a bucket has a width, and a dimension is one of the list", async (store) => {
      await expect(store.countRollouts({}, ["bucket"], { bucketMs: 0 })).rejects.toMatchObject({ code: "invalid" });
      const odd = ["task; DROP TABLE x"] as unknown as RolloutDim[];
      await expect(store.countRollouts({}, odd)).rejects.toMatchObject({ code: "invalid" });
    });

    test("rollouts are filtered by each of their fields", async (store) => {
      await seedRollouts(store);
      const ids = async (filter: Parameters<Store["listRollouts"]>[0]) =>
        (await store.listRollouts(filter, FIRST)).items.map((row) => row.id).join("");
      expect(await ids({})).toBe("badc");
      expect(await ids({ runs: ["r1", "r3"] })).toBe("bac");
      expect(await ids({ runs: [] })).toBe("badc");
      expect(await ids({ origins: ["canary"] })).toBe("d");
      expect(await ids({ verdicts: ["infra_failed"], families: ["oom"], classes: ["pod.oom_killed"] })).toBe("bd");
      expect(await ids({ nodes: ["n1"] })).toBe("ba");
      expect(await ids({ configKeys: ["c1"] })).toBe("a");
      expect(await ids({ tasks: ["task-1"] })).toBe("bdc");
      expect(await ids({ from: T0, to: T0 + HOUR })).toBe("a");
      expect(await ids({ to: T0 })).toBe("d");
      expect(await ids({ text: "boom HAP" })).toBe("b");
      expect(await ids({ text: "STRASSE" })).toBe("");
      expect(await ids({ text: "straße" })).toBe("a");
      expect(await ids({ text: "100%_" })).toBe("");
      expect(await ids({ runs: ["r1' OR 1=1 --"] })).toBe("");
    });

    test("rollouts page newest first without a gap or a repeat", async (store) => {
      await seedRollouts(store);
      const seen: string[] = [];
      for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
        const page: Awaited<ReturnType<Store["listRollouts"]>> = await store.listRollouts(
          { effectiveOnly: false },
          { limit: 2, cursor },
        );
        seen.push(...page.items.map((row) => row.id));
        cursor = page.next;
      }
      expect(seen.join("")).toBe("beadc");
    });

    test("incidents are counted and listed whole, their parts only when asked for", async (store) => {
      const fatal = { run: "r1", rollout: "a", sandbox: "s1" } as const;
      await settleIncidents(store, [
        madeIncident({ id: "i1", ...fatal }),
        madeIncident({ id: "i2", ...fatal, outcome: "absorbed", firstAt: T0 + 1 }),
        madeIncident({ id: "i3", ...fatal, firstAt: null }),
        madeIncident({ id: "i4", ...fatal, partOf: "i1" }),
        madeIncident({ id: "i5", class: "unknown", outcome: "unknown", source: "gym", node: "n1" }),
      ]);
      const row = { incidents: 3, fatal: 2, absorbed: 1, teardown: 0, unknown: 0, rollouts: 1, sandboxes: 1 };
      expect(await store.countIncidents({ runs: ["r1"] }, ["class"])).toEqual([{ key: ["pod.oom_killed"], ...row }]);
      const ids = async (filter: Parameters<Store["listIncidents"]>[0]) =>
        (await store.listIncidents(filter, FIRST)).items.map((one) => one.id);
      expect(await ids({})).toEqual(["i2", "i5", "i1", "i3"]);
      expect(await ids({ runs: ["r1"], orWithoutRun: true, withParts: true })).toEqual(["i2", "i5", "i4", "i1", "i3"]);
      expect(await ids({ from: T0 + 1 })).toEqual(["i2"]);
      expect(await ids({ outcomes: ["unknown"], sources: ["gym"], nodes: ["n1"] })).toEqual(["i5"]);
      expect(await ids({ rollouts: ["a"], ids: ["i1", "i5"], refs: ["sandbox:default/s1"] })).toEqual(["i1"]);
      expect(await store.countIncidents({ runs: ["none"] }, [])).toMatchObject([
        { key: [], incidents: 0, rollouts: 0 },
      ]);
      expect(await store.countIncidents({ runs: ["none"] }, ["outcome"])).toEqual([]);
    });

    test("observations are counted by kind, label and class", async (store) => {
      const event = (key: string, given: object) =>
        madeObservation({
          key,
          run: "r1",
          label: "X: 1",
          evidence: { layer: "execd", kind: "exec_event" },
          class: null,
          ...given,
        });
      await deliver(
        store,
        { id: "b1" },
        {
          observations: [
            event("k1", {}),
            event("k2", {}),
            event("k3", { label: null, class: "c" }),
            event("k4", { at: null, run: null }),
          ],
        },
      );
      expect(await store.countObservations({ runs: ["r1"], kinds: ["exec_event"] })).toEqual([
        { kind: "exec_event", label: null, class: "c", n: 1 },
        { kind: "exec_event", label: "X: 1", class: null, n: 2 },
      ]);
      expect(await store.countObservations({ classes: ["c"], to: T0 })).toEqual([]);
      expect(await store.countObservations({ from: T0, origins: ["fleet"] })).toMatchObject([{ n: 1 }, { n: 2 }]);
    });

    test("run labels are known from deliveries, plans, observations and rollouts", async (store) => {
      await deliver(store, { id: "b1", run: "named", receivedAt: 5, origin: "demo" }, {});
      await deliver(
        store,
        { id: "b2", receivedAt: 9 },
        {
          observations: [
            madeObservation({ key: "k1", run: "seen", at: T0 - 1 }),
            madeObservation({ key: "k2", run: "seen", origin: "canary", at: null }),
          ],
          planned: [madePlan("g1", { run: "planned" })],
        },
      );
      await deliverJudged(store, "b3", [[madeRollout({ id: "a", run: "seen" }), {}]]);
      const none = { rollouts: 0, planned: 0, firstAt: null, lastAt: null };
      expect(await store.runFacts({})).toEqual([
        { ...none, run: "seen", origin: "fleet", rollouts: 1, firstAt: T0 - 1, lastAt: T0 + 60_000, receivedAt: T0 },
        { ...none, run: "planned", origin: "fleet", planned: 1, receivedAt: 9 },
        { ...none, run: "named", origin: "demo", receivedAt: 5 },
      ]);
      expect(await store.runFacts({ origins: ["canary"] })).toEqual([
        { ...none, run: "seen", origin: "canary", receivedAt: 9 },
      ]);
      expect(await store.runFacts({ runs: ["none"] })).toEqual([]);
    });

    test("nodes are known from facts, observations and rollouts", async (store) => {
      await deliver(
        store,
        { id: "b1" },
        {
          facts: [madeFact("pod:default/p1", "node", "n3"), madeFact("pod:default/p1", "phase", "n9")],
          observations: [
            madeObservation({ key: "k1", node: "n1" }),
            madeObservation({ key: "k2", node: "n2", origin: "canary" }),
          ],
          rollouts: [madeRollout({ id: "a", node: "n1" })],
        },
      );
      expect(await store.nodes({})).toEqual(["n1", "n2", "n3"]);
      expect(await store.nodes({ origins: ["canary", "demo"] })).toEqual(["n2"]);
    });
  });
}
