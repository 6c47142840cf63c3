import { describe, expect, test } from "vitest";
import { planNamed } from "@/server/canary/plans/list";
import type { FindingInput } from "@/server/findings/finding";
import { findingsOf } from "@/server/findings/list";
import { lostTo, nodeFacts, runWith } from "./quiet-run";

const suspect = { verdict: "suspect" as const };
/** Raises every finding that a canary can check. */
const troubled: Partial<FindingInput> = {
  classes: [
    lostTo("pod.oom_killed", 27),
    lostTo("transport.stale_keepalive", 7),
    lostTo("proxy.bind_race", 5),
    lostTo("proxy.pool_exhausted", 4),
    lostTo("control.unschedulable", 3),
    lostTo("pod.image_pull", 2),
  ],
  nodes: { inRun: [nodeFacts("n7", 3, 9, suspect)], acrossRuns: [] },
};
const settings = {
  "resources.memory_mib": 2048,
  "create.skip_health_check": true,
  "connection.keepalive_expiry_s": 30,
  "create.timeout_s": 60,
  "create.ready_timeout_s": 120,
};

describe("the canary plan of a finding", () => {
  test.each([
    ["of a run with every trouble", runWith(settings, troubled)],
    [
      "where the idle timeout was measured",
      runWith({ ...settings, concurrency: 5000 }, { ...troubled, measuredIdleS: 5 }),
    ],
  ])("is one that a target takes as it is, %s", (_, input) => {
    const checks = findingsOf(input).flatMap((one) => (one.canaryPlan ? [{ id: one.id, ...one.canaryPlan }] : []));
    expect(checks.length).toBeGreaterThanOrEqual(8);
    for (const { id, plan, options } of checks) {
      const parsed = planNamed(plan).optionsSchema.safeParse(options);
      expect([id, parsed.success ? "" : parsed.error.message]).toEqual([id, ""]);
    }
  });
});
