import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCanaries } from "@/server/canary/client";
import type { List, Problem } from "@/server/domain/answers";
import type { CanaryAnswer, CanaryEvent, CanarySummary, LeftoverAnswer, TargetAnswer } from "@/server/domain/canary";
import { eventStream } from "@/server/http/event-stream";
import { type RealServer, realServer } from "../http/real-services";
import { bundle } from "../support/bundle";
import { type StandIn, startStandIn } from "../support/stand-in/server";
import { KEY } from "./fleet";

let folder = "";
let standIn: StandIn;
let server: RealServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "coalmine-http-"));
  standIn = await startStandIn({ apiKey: KEY });
  process.env.FLEET_KEY = KEY;
  const configPath = join(folder, "config.yaml");
  await writeFile(configPath, `targets: [{name: here, baseUrl: '${standIn.url}', apiKeyEnv: FLEET_KEY}]`);
  server = await realServer();
  const script = await bundle("server/canary/worker.ts");
  server.services.canaries = await startCanaries({
    script,
    dataDir: folder,
    configPath,
    deliver: async () => undefined,
  });
});
afterAll(async () => {
  await server.services.canaries?.stop();
  await standIn.close();
  await rm(folder, { recursive: true, force: true });
});

const post = (path: string, body: unknown = undefined) =>
  server.call(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

async function started(options: object = {}, plan = "smoke"): Promise<string> {
  const response = await post("/canaries", { target: "here", plan, options });
  expect(response.status).toBe(202);
  return ((await response.json()) as CanarySummary).id;
}

async function follow(id: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await server.call(`/canaries/${id}/events`, {
    headers: { accept: "text/event-stream", ...headers },
  });
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  return response.text();
}

test("a run is started, followed live to its end, and read", async () => {
  const id = await started();
  const stream = await follow(id);
  expect(stream).toMatch(/^retry: 2000\n\nid: 1\nevent: state\n/);
  expect(stream).toMatch(/event: end\ndata: \{\}\n\n$/);
  expect(await server.json<CanaryAnswer>(`/canaries/${id}`)).toMatchObject({ state: "passed", by: "request of local" });
  const list = await server.json<List<CanarySummary>>("/canaries?plan=smoke&state=passed");
  expect(list.items.map((one) => one.id)).toContain(id);
});

test("a reader that returns goes on after the last event it saw, and a plain reader gets a list", async () => {
  const id = await started();
  const all = await follow(id);
  const rest = await follow(id, { "last-event-id": "3" });
  expect(rest).toMatch(/^retry: 2000\n\nid: 4\n/);
  expect(all.endsWith(rest.slice("retry: 2000\n\n".length))).toBe(true);
  const { items } = await server.json<List<CanaryEvent>>(`/canaries/${id}/events?after=3`);
  expect(items[0]?.id).toBe(4);
});

test("pages of the list follow each other", async () => {
  for (let i = 0; i < 3; i++) await follow(await started());
  const first = await server.json<List<CanarySummary>>("/canaries?limit=2");
  const second = await server.json<List<CanarySummary>>(`/canaries?limit=2&cursor=${first.next}`);
  const ids = [...first.items, ...second.items].map((one) => one.id);
  expect(new Set(ids).size).toBe(4);
});

test("a cancel is said at once, and cancelling twice is a conflict", async () => {
  const id = await started({ gapsS: [60], sandboxes: 1 }, "replay");
  await expect.poll(() => standIn.sandboxes.size).toBe(1);
  const response = await post(`/canaries/${id}/cancel`);
  expect(((await response.json()) as CanarySummary).state).toBe("cancelling");
  await follow(id);
  expect(standIn.sandboxes.size).toBe(0);
  expect((await post(`/canaries/${id}/cancel`)).status).toBe(409);
});

test.each<[string, object, RegExp]>([
  ["a URL", { target: "here", plan: "smoke", url: "http://evil" }, /url: not a parameter of this call/],
  ["a key", { target: "here", plan: "smoke", apiKey: "x" }, /apiKey: not a parameter/],
  ["an unknown target", { target: "there", plan: "smoke" }, /"there" is none of the configured ones: here/],
  ["an unknown plan", { target: "here", plan: "x" }, /"x" is none of/],
  ["an unknown option", { target: "here", plan: "smoke", options: { x: 1 } }, /x is no option/],
  ["a wrong type", { target: "here", plan: "smoke", options: [] }, /options: /],
])("a request with %s is refused with the reason", async (_, body, reason) => {
  const response = await post("/canaries", body);
  expect(response.status).toBe(400);
  expect(((await response.json()) as Problem).detail).toMatch(reason);
});

test("what is not there is a 404, also for streams and odd names", async () => {
  for (const path of ["/canaries/c-none", "/canaries/c-none/events", "/canaries/..%2f..%2fetc"]) {
    expect((await server.call(path)).status).toBe(404);
  }
});

test("targets, plans, schedules and leftovers are lists, and the key is in none of them", async () => {
  const texts = await Promise.all(
    ["/targets", "/plans", "/schedules", "/targets/here/leftovers", "/canaries", "/canary-nodes"].map(async (path) => {
      const response = await server.call(path);
      expect(response.status).toBe(200);
      return response.text();
    }),
  );
  expect((JSON.parse(texts[0] ?? "") as List<TargetAnswer>).items[0]).toMatchObject({ name: "here", hasKey: true });
  expect((JSON.parse(texts[1] ?? "") as List<object>).items).toHaveLength(9);
  expect((JSON.parse(texts[3] ?? "") as List<LeftoverAnswer>).items).toEqual([]);
  expect(texts.join("\n")).not.toContain(KEY);
});

test("a process without canaries says so", async () => {
  const plain = await realServer();
  expect((await plain.call("/targets")).status).toBe(503);
});

test("an idle stream has a heartbeat, and a reader that leaves lets its source go", async () => {
  let left = false;
  const stream = eventStream({
    source: async function* (signal) {
      yield { id: 1, type: "x" };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      left = true;
    },
    request: new AbortController().signal,
    heartbeatMs: 20,
  });
  const reader = stream.getReader();
  let text = "";
  while (!text.includes("heartbeat")) text += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  await expect.poll(() => left).toBe(true);
});
