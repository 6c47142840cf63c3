import { expect, test } from "vitest";
import { NodeRecord } from "@/server/canary/node-record";
import type { CanaryAnswer, CanaryCycle, PlanName } from "@/server/domain/canary";

const cycle = (node: string | null, second: number, more: Partial<CanaryCycle> = {}): CanaryCycle => ({
  ...{ id: `y${second}`, sandbox: "s", node, at: new Date(second * 1000).toISOString(), ms: 1_000 },
  ...{ ok: true, ownFault: false, cancelled: false, failed: null, left: [] },
  ...more,
});
const run = (
  id: string,
  plan: PlanName,
  cycles: CanaryCycle[],
): Pick<CanaryAnswer, "id" | "plan" | "target" | "cycles"> => ({
  ...{ id, plan, target: "prod", cycles },
});
const FAILED = { step: "exec", class: "proxy.backend_502", message: null };

test("each node has its failed cycles of all, with the interval, and the newest first", () => {
  const record = new NodeRecord();
  record.add(run("c-1", "smoke", [cycle("b", 1)]));
  record.add(run("c-2", "node-check", [cycle("b", 2, { ok: false, failed: FAILED }), cycle("a", 3)]));
  const [a, b] = record.answers();
  expect([a?.node, a?.failed.k, a?.failed.n, b?.node, b?.failed.k, b?.failed.n]).toEqual(["a", 0, 1, "b", 1, 2]);
  expect(b?.failed.high).toBeGreaterThan(0.9);
  expect(b?.newest.map((one) => [one.run, one.ok, one.failed?.class])).toEqual([
    ["c-2", false, "proxy.backend_502"],
    ["c-1", true, undefined],
  ]);
});

test("own faults, cancelled cycles, those without a node and those meant to fail are left out; a run counts once", () => {
  const record = new NodeRecord();
  const bad = { ok: false, failed: FAILED };
  record.add(
    run("c-1", "smoke", [cycle("a", 1, { ownFault: true }), cycle("a", 2, { cancelled: true }), cycle(null, 3)]),
  );
  record.add(run("c-2", "create-race", [cycle("a", 4, bad)]));
  record.add(run("c-3", "memory-limit", [cycle("a", 5, bad)]));
  expect(record.answers()).toEqual([]);
  for (let i = 0; i < 2; i++) record.add(run("c-4", "smoke", [cycle("a", 6)]));
  expect(record.answers()[0]?.failed).toMatchObject({ k: 0, n: 1 });
});
