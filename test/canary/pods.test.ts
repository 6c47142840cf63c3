import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { runCycle } from "@/server/canary/cycle";
import { podSaid, podsOf } from "@/server/canary/pods";
import { startStandIn } from "../support/stand-in/server";
import { contextOf, KEY, targetAt } from "./fleet";

const TOKEN = "token-that-must-not-leak";
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const podOf = (sandbox: string) => ({
  metadata: { name: `${sandbox}-0`, namespace: "rollouts" },
  spec: {
    nodeName: "gpu-09",
    containers: [
      { name: "egress", resources: {} },
      { name: "sandbox", resources: { limits: { cpu: "500m", memory: "512Mi" }, requests: { memory: "128Mi" } } },
    ],
  },
  status: {
    phase: "Running",
    podIP: "10.42.0.9",
    hostIP: "10.0.0.9",
    containerStatuses: [{ name: "sandbox", restartCount: 0 }],
  },
});

/** An API server that lists pods by label, for who has the token. */
async function apiServer(label = "opensandbox.io/id") {
  const heard: string[] = [];
  const server = createServer((request, answer) => {
    const url = new URL(request.url ?? "/", "http://h");
    heard.push(url.pathname);
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return answer.writeHead(401).end('{"kind":"Status"}');
    const [key, sandbox = ""] = (url.searchParams.get("labelSelector") ?? "").split("=");
    answer.end(JSON.stringify({ kind: "PodList", items: key === label ? [podOf(sandbox)] : [] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

/** One cycle on a sandbox server that knows no inspect route. */
async function cycleWith(
  kubernetes: object,
  env: Record<string, string> = { KUBE_TOKEN: TOKEN },
  faults = { noInspect: true },
) {
  const standIn = await startStandIn({ apiKey: KEY, faults });
  closing.push(() => standIn.close());
  const target = targetAt(standIn.url, { kubernetes });
  const pods = podsOf([target], env).get("here");
  closing.push(() => pods?.close());
  const context = contextOf(target, { pods });
  const result = await runCycle(context, { healthCheck: true, gapsMs: [0] });
  await context.done();
  return result;
}

test.each(["opensandbox.io/id", "batch-sandbox.sandbox.opensandbox.io/name"])(
  "where the sandbox server does not tell, the pod with label %s gives node, pod and limits",
  async (label) => {
    const api = await apiServer(label);
    const result = await cycleWith({ apiServer: api.url, tokenEnv: "KUBE_TOKEN", namespace: "rollouts" });
    expect(result).toMatchObject({ ok: true, node: "gpu-09" });
    expect(result.inspected).toMatchObject({
      pod: `${result.sandbox}-0`,
      limits: { cpu: "500m", memory: "512Mi" },
      requests: { memory: "128Mi" },
    });
    expect(new Set(api.heard)).toEqual(new Set(["/api/v1/namespaces/rollouts/pods"]));
    expect(JSON.stringify(result)).not.toContain(TOKEN);
  },
);

test("what the sandbox server tells is not asked for again", async () => {
  const api = await apiServer();
  const result = await cycleWith(
    { apiServer: api.url, tokenEnv: "KUBE_TOKEN" },
    { KUBE_TOKEN: TOKEN },
    { noInspect: false },
  );
  expect([result.node, api.heard]).toEqual(["node-1", []]);
});

test("an API server that refuses or is not there leaves the node unknown, and the cycle well", async () => {
  const api = await apiServer();
  const refused = await cycleWith({ apiServer: api.url, tokenEnv: "KUBE_TOKEN" }, { KUBE_TOKEN: "wrong" });
  const gone = await cycleWith({ apiServer: "http://127.0.0.1:9" });
  for (const result of [refused, gone]) expect(result).toMatchObject({ ok: true, node: null, left: [] });
});

test("a container that was killed for memory is told as the sandbox server tells it; odd objects say nothing", () => {
  const lastState = { terminated: { exitCode: 137, reason: "OOMKilled" } };
  const said = podSaid({ status: { containerStatuses: [{ name: "sandbox", restartCount: 1, lastState }] } });
  expect(said).toMatchObject({ lastState: "exit=137, reason=OOMKilled", restarts: 1, node: null });
  expect(podSaid({ spec: [], status: { containerStatuses: "x" }, metadata: null }).pod).toBeNull();
});

test("a certificate file that is not there stops the start with the target and the reason", () => {
  const target = targetAt("http://h", { kubernetes: { apiServer: "https://k:6443", caFile: "/nowhere/ca.pem" } });
  expect(() => podsOf([target], {})).toThrow(/target here: kubernetes.caFile cannot be read: ENOENT/);
});
