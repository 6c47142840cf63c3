import { describe, expect, test } from "vitest";
import { badNode } from "@/server/findings/bad-node";
import { capacity } from "@/server/findings/capacity";
import { createRace } from "@/server/findings/create-race";
import type { Check, FindingInput } from "@/server/findings/finding";
import { imagePulls } from "@/server/findings/image-pulls";
import { keepaliveMismatch } from "@/server/findings/keepalive-mismatch";
import { leaks } from "@/server/findings/leaks";
import { CHECKS, findingsOf } from "@/server/findings/list";
import { memoryLimit } from "@/server/findings/memory-limit";
import { missingRollouts } from "@/server/findings/missing-rollouts";
import { runNotValid } from "@/server/findings/run-not-valid";
import { serverPoolExhausted } from "@/server/findings/server-pool-exhausted";
import { transportFallback } from "@/server/findings/transport-fallback";
import { unattributedShare } from "@/server/findings/unattributed-share";
import { unknownShare } from "@/server/findings/unknown-share";
import { wilson } from "@/server/stats/proportion";
import { configOf, lostTo, nodeFacts, quietRun, runWith, sample } from "./quiet-run";

const suspect = { verdict: "suspect" as const };

describe("a cause that cost rollouts is found", () => {
  test.each<[string, Check, Partial<FindingInput>, number]>([
    ["a stale socket", keepaliveMismatch, { classes: [lostTo("transport.stale_keepalive", 7)] }, 7],
    ["a bind race", createRace, { classes: [lostTo("proxy.bind_race", 5)] }, 5],
    ["a full pool", serverPoolExhausted, { classes: [lostTo("proxy.pool_exhausted", 4)] }, 4],
    ["no capacity", capacity, { classes: [lostTo("control.unschedulable", 3)] }, 3],
    [
      "refusals that retries got over",
      capacity,
      { classes: [lostTo("control.rate_limited", 0, { incidents: 9, absorbed: 9 })] },
      0,
    ],
    ["an image", imagePulls, { classes: [lostTo("pod.image_pull", 2)] }, 2],
    ["memory", memoryLimit, { classes: [lostTo("pod.oom_killed", 27)] }, 27],
    ["missing rollouts", missingRollouts, { planned: 500, missing: 184 }, 184],
    ["unknown errors", unknownShare, { unknownShare: wilson(12, 316) }, 12],
    ["unknown places", unattributedShare, { unattributed: 100 }, 100],
    ["leaks", leaks, { classes: [lostTo("cleanup.leak_suspected", 0, { incidents: 3, teardown: 3 })] }, 0],
    ["another transport", transportFallback, { transportFellBack: 2 }, 0],
    [
      "a run that is not valid",
      runNotValid,
      { valid: { ok: false, reason: "Not a valid measurement: x." }, infraFailed: wilson(90, 316) },
      90,
    ],
    ["a bad node", badNode, { nodes: { inRun: [nodeFacts("n7", 3, 9, suspect)], acrossRuns: [] } }, 3],
  ])("%s", (_, check, change, affected) => {
    const finding = check(quietRun(change));
    expect(finding?.rolloutsAffected).toBe(affected);
    expect(finding?.text).toMatch(/\d.*\.$/);
    expect(finding?.evidence.length).toBeGreaterThan(0);
  });
});

describe("what is no cause raises nothing", () => {
  test.each<[string, Check, Partial<FindingInput>]>([
    ["no stale socket", keepaliveMismatch, {}],
    ["no race", createRace, { classes: [lostTo("proxy.backend_502", 4)] }],
    ["no full pool", serverPoolExhausted, { classes: [lostTo("proxy.internal_5xx", 4)] }],
    [
      "few refusals that retries got over",
      capacity,
      { classes: [lostTo("control.rate_limited", 0, { incidents: 2, absorbed: 2 })] },
    ],
    ["one slow pull", imagePulls, { classes: [lostTo("pod.image_pull", 0, { incidents: 1, absorbed: 1 })] }],
    ["memory that the agent's own program wanted", memoryLimit, { classes: [lostTo("agent.memory", 5)] }],
    ["a run that goes on", missingRollouts, { ended: false, planned: 500, missing: 184 }],
    ["a plan that nobody knows", missingRollouts, { planned: null, missing: null }],
    ["one unknown error in 316", unknownShare, { unknownShare: wilson(1, 316) }],
    ["no finished rollout", unknownShare, { unknownShare: null }],
    ["few unknown places", unattributedShare, { unattributed: 5 }],
    ["clean deletes", leaks, { classes: [] }],
    ["the transport that was asked for", transportFallback, {}],
    [
      "a run without a finished rollout",
      runNotValid,
      { valid: { ok: false, reason: "No rollout has finished yet." }, infraFailed: null },
    ],
    [
      "a node worth watching",
      badNode,
      { nodes: { inRun: [nodeFacts("n7", 2, 9, { verdict: "watch" })], acrossRuns: [] } },
    ],
    [
      "a suspect of other runs that lost nothing here",
      badNode,
      { nodes: { inRun: [nodeFacts("n7", 0, 9)], acrossRuns: [nodeFacts("n7", 9, 60, suspect)] } },
    ],
  ])("%s", (_, check, change) => {
    expect(check(quietRun(change))).toBeNull();
  });

  test("a quiet run raises none of all findings", () => {
    expect(CHECKS.length).toBe(18);
    expect(findingsOf(quietRun())).toEqual([]);
  });
});

describe("a finding says what to expect of the change", () => {
  test("memory: the old limit, the new one, what it spares, and what it costs in packing", () => {
    const classes = [lostTo("pod.oom_killed", 27)];
    const config = configOf({ "resources.memory_mib": 2048, "resource_requests.memory_mib": 2048 }, {}, 27);
    const finding = memoryLimit(quietRun({ classes, config }));
    expect(finding?.text).toBe(
      "27 of 316 rollouts were killed for memory at 2 GiB; 8 GiB would spare 23–27 of them if none needs more, and with requests at 2 GiB a node of 256 GiB holds 128 sandboxes as before, with requests raised too only 32.",
    );
    expect(finding?.winBack?.rollouts).toMatchObject({ estimate: 27, high: 27 });
    expect(finding?.winBack?.rollouts.low).toBeCloseTo(27 * 0.87544, 2);
    expect(finding?.winBack?.passAt1Points?.estimate).toBeCloseTo((27 / 316) * 65, 9);
    expect(finding?.change?.lines.map((line) => line.op + line.text)).toEqual([
      "-resources.memory_mib: 2048",
      "+resources.memory_mib: 8192",
      "+resource_requests.memory_mib: 2048",
    ]);
  });

  test("memory at three times the task's specification already: look at the task, do not raise", () => {
    const classes = [lostTo("pod.oom_killed", 4)];
    const finding = memoryLimit(runWith({ "resources.memory": "6Gi", "task.memory_mb": 2048 }, { classes }));
    expect(finding).toMatchObject({ change: null, winBack: null });
    expect(finding?.text).toContain("3.0 times the task's own specification");
  });

  test("memory under several limits: the one at which most were killed", () => {
    const [base] = configOf({}, {}, 20).each;
    if (!base) throw new Error("no config");
    const each = [
      { ...base, values: { "resources.memory": "2Gi" } },
      { ...base, values: { "resources.memory": "8Gi" }, byFamily: { ...base.byFamily, oom: 1 } },
    ];
    const varying = {
      "resources.memory": [
        { value: "2Gi", n: 316 },
        { value: "8Gi", n: 316 },
      ],
    };
    const config = { common: {}, varying, effective: {}, each };
    expect(memoryLimit(quietRun({ config, classes: [lostTo("pod.oom_killed", 21)] }))?.text).toContain(
      "at 2 GiB; 8 GiB",
    );
  });

  test("a race: how many of the 502s were one, and how soon they came", () => {
    const samples = [sample({ afterReadyMs: 800 }), sample({ afterReadyMs: 1600 })];
    const classes = [lostTo("proxy.bind_race", 4, { samples }), lostTo("proxy.backend_502", 1)];
    const finding = createRace(runWith({ "create.skip_health_check": true }, { classes }));
    expect(finding?.text).toContain(
      "4 rollouts were lost, at the latest 1.6 s after the sandbox was up: the health check",
    );
    expect(finding?.winBack?.formula).toMatch(/^4 of 5 lost rollouts/);
  });

  test("stale sockets that were idle for less than the advised expiry stay lost", () => {
    const classes = [
      lostTo("transport.stale_keepalive", 2, { samples: [sample({ idleMs: 6000 }), sample({ idleMs: 1000 })] }),
    ];
    const finding = keepaliveMismatch(runWith({ keepalive_expiry_s: 30 }, { classes }));
    expect(finding?.winBack?.rollouts.estimate).toBe(1);
  });

  test("a client that expires sockets soon enough and still loses some: measure who closes them", () => {
    const finding = keepaliveMismatch(
      runWith({ keepalive_expiry_s: 3 }, { classes: [lostTo("transport.stale_keepalive", 2)] }),
    );
    expect(finding).toMatchObject({ change: null, canaryPlan: { plan: "idle-boundary" } });
  });

  test("a bad node: what it lost beyond chance, and the line that takes it out", () => {
    const finding = badNode(quietRun({ nodes: { inRun: [nodeFacts("n7", 3, 9, suspect)], acrossRuns: [] } }));
    expect(finding?.change?.lines).toEqual([{ op: "+", text: "kubectl cordon n7" }]);
    expect(finding?.winBack?.rollouts.estimate).toBeCloseTo(3 - 9 * 0.043, 9);
  });

  test("a node that only all runs together show", () => {
    const finding = badNode(
      quietRun({ nodes: { inRun: [nodeFacts("n7", 2, 20)], acrossRuns: [nodeFacts("n7", 7, 60, suspect)] } }),
    );
    expect(finding).toMatchObject({ rolloutsAffected: 2, text: "n7: It had 7 of 60." });
  });

  test("the worst come first, then those that took most", () => {
    const run = runWith(
      { "operations.command_retries": 1, "create.skip_health_check": true },
      {
        classes: [lostTo("proxy.bind_race", 5), lostTo("pod.oom_killed", 27)],
        valid: { ok: false, reason: "Not a valid measurement: x." },
        infraFailed: wilson(90, 316),
      },
    );
    expect(findingsOf(run).map((one) => one.id)).toEqual([
      "run-not-valid",
      "memory-limit",
      "create-race",
      "command-retries",
    ]);
  });
});
