import { afterEach, expect, test } from "vitest";
import { runCycle } from "@/server/canary/cycle";
import type { SessionContext } from "@/server/canary/session";
import { type StandIn, type StandInOptions, startStandIn } from "../support/stand-in/server";
import { contextOf, KEY, targetAt } from "./fleet";

const open: StandIn[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function fleet(options: StandInOptions = {}, more: Partial<SessionContext> = {}, target: object = {}) {
  const standIn = await startStandIn({ apiKey: KEY, ...options });
  open.push(standIn);
  return { standIn, context: contextOf(targetAt(standIn.url, { ...target }), more) };
}

const ONCE = { healthCheck: true, gapsMs: [0] };
const namesOf = (result: Awaited<ReturnType<typeof runCycle>>) => result.steps.map((step) => step.name);

test("a good fleet: every step, the node and the limits, and nothing left behind", async () => {
  const { standIn, context } = await fleet();
  const result = await runCycle(context, { healthCheck: true, gapsMs: [0, 50] });
  await context.done();
  expect(namesOf(result)).toEqual(["create", "ready", "endpoint", "ping", "exec", "idle", "exec", "inspect", "delete"]);
  expect(result).toMatchObject({ ok: true, node: "node-1", left: [], failed: null });
  expect(result.inspected?.limits).toEqual({ cpu: "500m", memory: "512Mi" });
  expect(standIn.sandboxes.size).toBe(0);
});

test("a sandbox carries a lifetime, requests below limits, and who made it", async () => {
  const seen: object[] = [];
  const { standIn, context } = await fleet(
    {},
    { onStep: () => seen.push(...[...standIn.sandboxes.values()].map((s) => s.request)) },
  );
  await runCycle(context, ONCE);
  await context.done();
  expect(seen[0]).toMatchObject({
    timeout: 120,
    resourceLimits: { memory: "512Mi" },
    resourceRequests: { memory: "128Mi" },
    metadata: { app: "coalmine-canary", "coalmine-cycle": context.metadata["coalmine-cycle"] },
  });
});

test("commands go through a gateway when the target says so, with every header of the lookup and without the key", async () => {
  const { standIn, context } = await fleet({}, {}, { mode: "gateway" });
  const result = await runCycle(context, ONCE);
  await context.done();
  expect(result.ok).toBe(true);
  const atGateway = standIn.requests.filter((one) => one.at === "gateway");
  expect(atGateway.map((one) => one.path)).toEqual(["/ping", "/command"]);
  for (const one of atGateway) {
    expect(one.headers["opensandbox-ingress-to"]).toBe(`${result.sandbox}-44772`);
    expect(JSON.stringify(one.headers)).not.toContain(KEY);
  }
});

test.each([false, true])(
  "a first command that races the daemon's start is a bind race (old error bodies: %s)",
  async (oldBodies) => {
    const { standIn, context } = await fleet({ faults: { bindDelayMs: 60_000, oldBodies } });
    const result = await runCycle(context, { healthCheck: false, gapsMs: [0] });
    await context.done();
    expect(result.failed).toMatchObject({ step: "exec", class: "proxy.bind_race" });
    expect(result.node).toBe("node-1");
    expect(standIn.sandboxes.size).toBe(0);
  },
);

test("a stream that is cut is its own failure, and the sandbox is deleted", async () => {
  const { standIn, context } = await fleet({ faults: { cutStreams: true } });
  const result = await runCycle(context, ONCE);
  await context.done();
  expect(result.failed).toMatchObject({ step: "exec", class: "transport.stream_truncated" });
  expect(standIn.sandboxes.size).toBe(0);
});

test("another command's output is a failure: the nonce must come back", async () => {
  const { context } = await fleet({ faults: { wrongOutput: true } });
  const result = await runCycle(context, ONCE);
  await context.done();
  expect(result.steps.find((step) => step.name === "exec")?.problem?.code).toBe("NONCE_MISSING");
});

test("a server without the inspect route is no failure", async () => {
  const { context } = await fleet({ faults: { noInspect: true, oldBodies: true } });
  const result = await runCycle(context, ONCE);
  await context.done();
  expect(result).toMatchObject({ ok: true, node: null });
});

test("a delete that fails once is tried again and is no leak", async () => {
  const { standIn, context } = await fleet({ faults: { failDeletes: 1 } });
  const result = await runCycle(context, ONCE);
  await context.done();
  expect(result).toMatchObject({ ok: true, left: [] });
  expect(standIn.sandboxes.size).toBe(0);
});

test("a sandbox that outlives its delete is reported as a leak", async () => {
  const { context } = await fleet({ faults: { stuckDelete: true } });
  const result = await runCycle(context, ONCE);
  await context.done();
  expect(result.left).toEqual([result.sandbox]);
  expect(result.failed).toMatchObject({ step: "delete", class: "cleanup.leak_suspected" });
});

test("cancelled while the create is in flight, the sandbox is deleted once its id is known", async () => {
  const cancel = new AbortController();
  const { standIn, context } = await fleet({ faults: { createDelayMs: 300 } }, { signal: cancel.signal });
  setTimeout(() => cancel.abort(), 50);
  const result = await runCycle(context, ONCE);
  await context.done();
  expect(namesOf(result)).toEqual(["create", "delete"]);
  expect(result).toMatchObject({ ok: false, cancelled: true, left: [] });
  expect([standIn.created, standIn.sandboxes.size]).toEqual([1, 0]);
});

test("cancelled while a command runs, it ends at once and the sandbox is deleted", async () => {
  const cancel = new AbortController();
  const { standIn, context } = await fleet({}, { signal: cancel.signal });
  setTimeout(() => cancel.abort(), 400);
  const started = performance.now();
  const result = await runCycle(context, { healthCheck: true, gapsMs: [30_000] });
  await context.done();
  expect(performance.now() - started).toBeLessThan(3_000);
  expect([result.cancelled, standIn.sandboxes.size]).toEqual([true, 0]);
});

test("a create whose answer is lost is found by its metadata and deleted", async () => {
  const { standIn, context } = await fleet({ faults: { loseCreateAnswer: true } });
  const result = await runCycle(context, ONCE);
  await context.done();
  expect(result.failed?.step).toBe("create");
  expect([standIn.created, standIn.sandboxes.size, result.left]).toEqual([1, 0, []]);
});

test("a refused create makes no search and keeps the server's word on when to come back", async () => {
  const createStorm = {
    status: 429,
    body: { code: "KUBERNETES::POOL_CAPACITY_EXHAUSTED", message: "full" },
    retryAfterS: 7,
    until: 1,
  };
  const { standIn, context } = await fleet({ faults: { createStorm } });
  const result = await runCycle(context, ONCE);
  await context.done();
  expect(result).toMatchObject({ failed: { step: "create", class: "control.unschedulable" }, retryAfterS: 7 });
  expect(standIn.requests).toHaveLength(1);
});
