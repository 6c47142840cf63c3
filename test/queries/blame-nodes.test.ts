import { beforeEach, describe, expect, test } from "vitest";
import type { Store } from "@/server/domain/store";
import { findings } from "@/server/queries/findings";
import { nodeDetail } from "@/server/queries/node-detail";
import { nodes } from "@/server/queries/nodes";
import { runSummary } from "@/server/queries/run-summary";
import { openMemory, send } from "../support/deliveries";

const NOW = Date.UTC(2026, 10, 28);
const NODES = Array.from({ length: 20 }, (_, i) => `n${String(i + 1).padStart(2, "0")}`);
const EACH = 10;

interface Ran {
  node: string;
  lost: boolean;
  config?: object;
}

let store: Store;
beforeEach(async () => {
  store = await openMemory();
});

/** `EACH` rollouts on every node; `lost` says how many of a node's were. */
function fleet(lost: (node: string) => number, configOf?: (node: string) => object): Ran[] {
  return NODES.flatMap((node) =>
    Array.from({ length: EACH }, (_, i) => ({ node, lost: i < lost(node), config: configOf?.(node) })),
  );
}

async function deliver(run: string, ran: readonly Ran[]): Promise<void> {
  const rows = ran.map(({ node, lost, config }, i) => {
    const error = "SandboxApiException: Run command failed: An internal error occurred in the proxy: ";
    return {
      _ng_task_index: i,
      _ng_rollout_index: 0,
      agent_ref: { name: "a" },
      instance_id: `task-${i}`,
      reward: lost ? 0 : 1,
      node,
      response: { output: lost ? [] : [{ type: "message", content: [{ type: "output_text", text: "done" }] }] },
      metadata: lost ? { error, traceback: error } : { instance_id: `task-${i}`, model_patch: "x" },
      ...(config ? { instance_config: config } : {}),
    };
  });
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  await send(store, lines, { run }, { receivedAt: NOW });
}

const suspects = async (run: string) => (await runSummary(store, { run, now: NOW })).suspectNodes;
const all = () => nodes(store, { page: { limit: 100, cursor: null } });

describe("a run whose only fault is a bad config", () => {
  test("blames no node, although its losses all lie on the nodes that ran it", async () => {
    const bad = new Set(NODES.slice(0, 4));
    const config = (node: string) => ({ create: { skip_health_check: bad.has(node) } });
    await deliver(
      "night",
      fleet((node) => (bad.has(node) ? 5 : 0), config),
    );
    expect(await suspects("night")).toEqual([]);
    const { items } = await findings(store, { run: "night", now: NOW });
    expect(items.map((one) => one.id)).not.toContain("bad-node");
    expect(items.map((one) => one.id)).toContain("create-race");
    expect(await nodeDetail(store, { node: "n01" })).toMatchObject({ verdict: "ok", expected: 5 });
  });

  test("and the same losses under one config would have blamed them", async () => {
    await deliver(
      "night",
      fleet((node) => (NODES.indexOf(node) < 4 ? 5 : 0)),
    );
    expect(await suspects("night")).toEqual(["n01", "n02", "n03", "n04"]);
  });
});

describe("a node with a fault in three runs", () => {
  const elsewhere = (run: number, node: string) => (NODES.indexOf(node) % 3 === run && node !== "n07" ? 1 : 0);

  beforeEach(async () => {
    for (const run of [0, 1, 2])
      await deliver(
        `night-${run}`,
        fleet((node) => (node === "n07" ? 3 : elsewhere(run, node))),
      );
  });

  test("is found over all of them though no run alone shows it", async () => {
    for (const run of [0, 1, 2]) expect(await suspects(`night-${run}`)).toEqual([]);
    const found = await all();
    expect(found.items[0]).toMatchObject({ node: "n07", verdict: "suspect", runs: 3 });
    expect(found.items.filter((one) => one.verdict === "suspect")).toHaveLength(1);
  });

  test("has a page that says so, run by run", async () => {
    const node = await nodeDetail(store, { node: "n07" });
    expect(node.strata.map(({ here, seen }) => [here, seen])).toEqual([
      [10, 3],
      [10, 3],
      [10, 3],
    ]);
    expect(node.sentence).toMatch(
      /^It had 30 of 600 rollouts and 9 of \d+ infrastructure failures; had those of each run/,
    );
    expect(node).toMatchObject({
      tested: 20,
      commands: { cordon: "kubectl cordon n07" },
      check: { plan: "node-check" },
    });
    expect(node.classes[0]).toMatchObject({ class: "proxy.internal_5xx", rollouts: 9 });
  });

  test("is a finding of each of its runs", async () => {
    const { items } = await findings(store, { run: "night-1", now: NOW });
    expect(items.find((one) => one.id === "bad-node")).toMatchObject({ rolloutsAffected: 3 });
  });
});

describe("a fleet-wide outage", () => {
  test("that takes half of every node's rollouts flags no node", async () => {
    await deliver(
      "night",
      fleet(() => 5),
    );
    expect((await all()).items.filter((one) => one.verdict === "suspect")).toEqual([]);
  });

  test("that takes half of the nodes is called fleet-wide, and flags no node", async () => {
    await deliver(
      "night",
      fleet((node) => (NODES.indexOf(node) < 10 ? 8 : 0)),
    );
    const found = await all();
    expect(found).toMatchObject({ fleetWide: true });
    expect(found.items.filter((one) => one.verdict === "suspect")).toEqual([]);
    expect((await findings(store, { run: "night", now: NOW })).items.map((one) => one.id)).not.toContain("bad-node");
    expect((await nodeDetail(store, { node: "n01" })).sentence).toContain("fleet-wide, not a node");
  });
});

test("a node that nothing names is not there", async () => {
  await expect(nodeDetail(store, { node: "n99" })).rejects.toThrow('There is no node "n99".');
});
