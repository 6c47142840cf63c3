import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import type {
  BatchAnswer,
  IncidentAnswer,
  List,
  RolloutAnswer,
  RunBreakdown,
  RunSummary,
} from "@/server/domain/answers";
import type { IngestResult } from "@/server/domain/batch";
import type { RolloutDetail } from "@/server/domain/rollout-detail";
import { type RealServer, realServer } from "./real-services";

const gym = readFileSync(fileURLToPath(new URL("../cases/002-gym-rollouts-and-failures.jsonl", import.meta.url)));

let server: RealServer;
beforeEach(async () => {
  server = await realServer();
});

function send(query: string, body: Uint8Array | string, headers: Record<string, string> = {}): Promise<IngestResult> {
  return server.json<IngestResult>(`/ingest/auto?${query}`, { method: "POST", body: body as BodyInit, headers });
}
function put(run: string, said: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return server.call(`/runs/${run}`, { method: "PUT", headers, body: JSON.stringify(said) });
}
const summary = (run: string) => server.json<RunSummary>(`/runs/${run}`);

describe("a delivered run", () => {
  it("is judged, counted and told in one sentence", async () => {
    const result = await send("run=gym-a&name=rollouts.jsonl", gym);
    expect(result).toMatchObject({ duplicateBatch: false, rejected: 1 });
    const run = await summary("gym-a");
    expect(run).toMatchObject({ rollouts: 8, infraFailed: { k: 2, n: 8, value: 0.25 } });
    expect(Object.values(run.byFamily).reduce((sum, n) => sum + n, 0)).toBe(2);
    expect(run.sentence).toMatch(/^2 of 8 rollouts were lost to infrastructure: 25\.0 % \(/);
    expect((await server.json<List<RunSummary>>("/runs")).items.map((one) => one.id)).toEqual(["gym-a"]);
  });

  it("changes nothing when it is sent again, packed or not", async () => {
    const first = await send("run=gym-a&name=rollouts.jsonl", gym);
    const again = await send("run=gym-a&name=rollouts.jsonl", gzipSync(gym), { "content-encoding": "gzip" });
    expect(again).toMatchObject({ duplicateBatch: true, batchId: first.batchId });
    expect((await summary("gym-a")).rollouts).toBe(8);
    expect((await server.json<List<BatchAnswer>>("/batches")).items).toHaveLength(1);
  });

  it("breaks down into classes, nodes, configs and time that add up", async () => {
    await send("run=gym-a", gym);
    const parts = await server.json<RunBreakdown>("/runs/gym-a/breakdown");
    const lost = parts.classes.filter((one) => one.family !== "none" && one.family !== null);
    expect(lost.reduce((sum, one) => sum + one.rollouts, 0)).toBeGreaterThanOrEqual(2);
    expect(parts.nodes.reduce((sum, one) => sum + one.rollouts, 0)).toBe(8);
    expect(parts.configs.reduce((sum, one) => sum + one.rollouts, 0)).toBe(8);
    const timed = parts.timeline.buckets.reduce(
      (sum, b) => sum + b.well + Object.values(b.byFamily).reduce((s, n) => s + n, 0),
      0,
    );
    expect(timed + parts.timeline.withoutTime).toBe(8);
    expect(parts.timeline.buckets.length).toBeLessThanOrEqual(120);
  });

  it("lists its rollouts by verdict, and each has a death certificate", async () => {
    await send("run=gym-a", gym);
    const lost = await server.json<List<RolloutAnswer>>("/runs/gym-a/rollouts?verdict=infra_failed");
    expect(lost.items).toHaveLength(2);
    const one = lost.items[0];
    const detail = await server.json<RolloutDetail>(`/rollouts/${one?.id}`);
    expect(detail).toMatchObject({ id: one?.id, verdict: "infra_failed", run: "gym-a" });
    expect(detail.timeline.length).toBeGreaterThan(0);
    expect(detail.incidents.map((incident) => incident.id)).toContain(one?.incident);
    const incidents = await server.json<List<IncidentAnswer>>("/incidents?run=gym-a&outcome=fatal");
    expect(incidents.items.map((incident) => incident.id)).toContain(one?.incident);
    const proof = await server.json<{ lines: object[] }>(`/incidents/${one?.incident}`);
    expect(proof.lines.length).toBeGreaterThan(0);
  });

  it("pages through its rollouts without losing one", async () => {
    await send("run=gym-a", gym);
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await server.json<List<RolloutAnswer>>(`/runs/gym-a/rollouts?limit=3${cursor}`);
      seen.push(...page.items.map((one) => one.id));
      if (page.next === null) break;
      cursor = `&cursor=${encodeURIComponent(page.next)}`;
    }
    expect(new Set(seen).size).toBe(8);
  });

  it("keeps what could not be read, with the line", async () => {
    const { batchId } = await send("run=gym-a", gym);
    const rejects = await server.json<List<{ line: number; code: string }>>(`/batches/${batchId}/rejects`);
    expect(rejects.items).toHaveLength(1);
    expect(rejects.items[0]?.line).toBeGreaterThan(0);
  });

  it("is gone when its delivery is taken back, after a preview that changes nothing", async () => {
    const { batchId } = await send("run=gym-a", gym);
    const preview = await server.json(`/batches/${batchId}?preview=true`, { method: "DELETE" });
    expect(preview).toMatchObject({ preview: true, batches: 1 });
    expect((await summary("gym-a")).rollouts).toBe(8);
    expect(await server.json(`/batches/${batchId}`, { method: "DELETE" })).toMatchObject({ preview: false });
    expect((await server.call("/runs/gym-a")).status).toBe(404);
  });

  it("is gone with its settings when the run is deleted", async () => {
    await send("run=gym-a", gym);
    await put("gym-a", { name: "Night" });
    const preview = await server.json("/runs/gym-a?preview=true", { method: "DELETE" });
    expect(preview).toMatchObject({ preview: true, batches: 1 });
    await server.call("/runs/gym-a", { method: "DELETE" });
    expect((await server.call("/runs/gym-a")).status).toBe(404);
    expect((await server.json<List<IncidentAnswer>>("/incidents")).items).toEqual([]);
  });
});

describe("what is said of a run", () => {
  it("merges, and null clears", async () => {
    await put("r", {
      name: "Night",
      planned: 10,
      config: { resources: { memory: "2Gi", cpu: 1 } },
      labels: { a: "1", b: "2" },
    });
    await put("r", {
      notes: "hot",
      config: { resources: { cpu: null }, "transport.idle_s": 4 },
      labels: { b: null },
      planned: null,
    });
    const run = await summary("r");
    expect(run).toMatchObject({ name: "Night", notes: "hot", planned: null, labels: { a: "1" } });
    expect(run.config.common).toEqual({ "resources.memory": "2Gi", "transport.idle_s": 4 });
    expect(run.sentence).toBe("No rollouts yet.");
  });

  it("can be YAML, and secrets in it are not kept", async () => {
    const body =
      "name: Night\nconfig:\n  sandbox:\n    api_key: sk-abcdef0123456789abcdef\n    command_retries: 3\n    hosts: [a, b]\n";
    const headers = { "content-type": "application/yaml; charset=utf-8" };
    const run = await server.json<RunSummary>("/runs/r", { method: "PUT", headers, body });
    expect(run.config.common["sandbox.command_retries"]).toBe(3);
    expect(run.config.common["sandbox.hosts"]).toBe('["a","b"]');
    expect(JSON.stringify(run)).not.toContain("abcdef0123456789");
  });

  it("joins labels to one run, also those that came before", async () => {
    await send("run=worker-0", gym);
    expect((await put("night", { aliases: ["worker-0"] })).status).toBe(200);
    expect(await summary("night")).toMatchObject({ id: "night", rollouts: 8, aliases: ["worker-0"] });
    expect((await summary("worker-0")).id).toBe("night");
    expect((await server.json<List<RunSummary>>("/runs")).items.map((one) => one.id)).toEqual(["night"]);
    const groups = await server.json<List<{ key: { run: string } }>>("/failures?by=run");
    expect(groups.items.map((group) => group.key.run)).toEqual(["night"]);
  });

  it("cannot make one label two runs'", async () => {
    await put("a", { aliases: ["x"] });
    for (const [run, said] of [
      ["b", { aliases: ["x"] }],
      ["a", { aliases: ["a"] }],
      ["x", { name: "X" }],
    ] as const) {
      expect([run, (await put(run, said)).status]).toEqual([run, 409]);
    }
  });

  it("moves verdicts when the pass mark moves", async () => {
    const row = { _ng_task_index: 0, _ng_rollout_index: 0, reward: 0.6, instance_id: "t" };
    await send("run=r", `${JSON.stringify(row)}\n`);
    expect((await summary("r")).passAt1.asReported).toMatchObject({ n: 1, value: 0 });
    await put("r", { passAt: 0.5 });
    expect((await summary("r")).passAt1.asReported).toMatchObject({ n: 1, value: 1 });
  });

  it("is refused when it is not understood", async () => {
    const cases: [string, string, number][] = [
      ["application/json", "{", 400],
      ["application/json", '{"nam":1}', 400],
      ["application/json", '{"planned":-1}', 400],
      ["application/yaml", "a: [", 400],
      ["application/json", "", 400],
      ["text/plain", "x", 415],
      ["application/json", `{"notes":"${"x".repeat(2 ** 20)}"}`, 413],
    ];
    for (const [type, body, status] of cases) {
      const response = await server.call("/runs/r", { method: "PUT", headers: { "content-type": type }, body });
      expect([body.slice(0, 20), response.status]).toEqual([body.slice(0, 20), status]);
    }
  });

  it("counts planned rollouts as missing only once the run has ended", async () => {
    await send("run=r", gym);
    const now = new Date();
    await put("r", { planned: 10 });
    const ended = await server.json<RunSummary>("/runs/r", {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ endedAt: now.toISOString() }),
    });
    expect(ended).toMatchObject({ planned: 10, missing: 2, notFinished: 0, endedAt: now.toISOString() });
  });
});
