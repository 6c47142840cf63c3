import { Agent, request } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Problem, RunSummary } from "@/server/domain/answers";
import type { Health } from "@/server/domain/product-answers";
import { type Product, startProduct } from "@/test/support/server";
import { ask, deliver, gymRow, type Sent } from "./deliver";

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.remove());

async function isAlive(): Promise<boolean> {
  return (await ask<Health>(`${product.url}/api/v1/health`)).body.ok;
}

const ROWS = gymRow(0, 0) + gymRow(0, 1);
const PACKED = gzipSync(ROWS.repeat(50));

describe("a delivery that cannot be read at all is refused with a reason", () => {
  test.each<[string, string | Uint8Array, Sent, number, string]>([
    ["an unknown format", ROWS, { format: "nonsense" }, 400, "invalid"],
    ["an unknown encoding", ROWS, { headers: { "content-encoding": "lzma" } }, 415, "unsupported"],
    ["text that says it is gzip", ROWS, { headers: { "content-encoding": "gzip" } }, 400, "invalid"],
    [
      "a gzip cut short",
      PACKED.subarray(0, PACKED.length - 12),
      { headers: { "content-encoding": "gzip" } },
      400,
      "invalid",
    ],
    ["an unknown time zone", ROWS, { query: { tz: "Mars/Olympus" } }, 400, "invalid"],
  ])("%s", async (_what, body, sent, status, code) => {
    const answer = await deliver(product.url, body, sent);
    const problem = answer.body as unknown as Problem;
    expect([answer.status, problem.code]).toEqual([status, code]);
    expect(answer.type).toContain("application/problem+json");
    expect(problem.detail.length).toBeGreaterThan(10);
    expect(await isAlive()).toBe(true);
  });
});

describe("a record that cannot be read is kept as a reject, and the rest is read", () => {
  const good = gymRow(7, 0);
  const badUtf8 = Buffer.concat([Buffer.from(good), Buffer.from([0xc3, 0x28, 0xff, 0x0a])]);

  test.each<[string, string | Uint8Array, number, RegExp]>([
    ["a last line cut in the middle", good + gymRow(7, 1).slice(0, 60), 2, /^(incomplete|invalid_json)$/],
    ["bytes that are no UTF-8", badUtf8, 2, /^invalid_utf8$/],
    ["a line of 17 MB", `${good}{"a":"${"x".repeat(17_000_000)}"}\n`, 2, /^too_large$/],
    ["text where a number belongs", good + gymRow(8, 0, { reward: "high" }), 2, /^invalid_type$/],
    [
      "a number where text belongs",
      good + gymRow(8, 0, { agent_ref: 7, instance_id: 9, metadata: 3 }),
      2,
      /^invalid_type$/,
    ],
    ["a line that is no JSON", `${good}{not json}\n`, 2, /^(invalid_json|unknown_format)$/],
  ])("%s", async (what, body, line, code) => {
    const answer = await deliver(product.url, body, { format: "gym-rollouts", query: { run: what } });
    expect(answer.status).toBe(200);
    expect([answer.body.rollouts, answer.body.rejected]).toEqual([1, 1]);
    const [reject] = answer.body.rejects;
    expect(reject?.line).toBe(line);
    expect(reject?.code).toMatch(code);
    expect(reject?.message.length).toBeGreaterThan(5);
    expect(await isAlive()).toBe(true);
  });

  test("a row of 5 MB is a rollout like any other", async () => {
    const row = gymRow(9, 0, {
      responses_create_params: { input: [{ role: "user", content: "x".repeat(5_000_000) }] },
    });
    const answer = await deliver(product.url, row, { query: { run: "large" } });
    expect([answer.status, answer.body.rollouts, answer.body.rejected]).toEqual([200, 1, 0]);
    const run = await ask<RunSummary>(`${product.url}/api/v1/runs/large`);
    expect(run.body.rollouts).toBe(1);
  });

  test("the same delivery again changes nothing and says so", async () => {
    const first = await deliver(product.url, ROWS, { query: { run: "twice" } });
    const second = await deliver(product.url, gzipSync(ROWS), {
      query: { run: "twice" },
      headers: { "content-encoding": "gzip" },
    });
    expect([first.body.duplicateBatch, second.body.duplicateBatch]).toEqual([false, true]);
    expect(second.body.batchId).toBe(first.body.batchId);
    const run = await ask<RunSummary>(`${product.url}/api/v1/runs/twice`);
    expect(run.body.rollouts).toBe(2);
  });

  test("an empty delivery has no record", async () => {
    const answer = await deliver(product.url, "");
    expect(answer.body.records ?? 0).toBe(0);
    expect(await isAlive()).toBe(true);
  });
});

test("a refusal before the end of a body leaves the connection free for the next request", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (method: string, path: string, body?: Buffer): Promise<[number | undefined, boolean]> =>
    new Promise((resolve, reject) => {
      const sending = request(`${product.url}/api/v1${path}`, { method, agent }, (answer) => {
        answer.resume().on("end", () => resolve([answer.statusCode, sending.reusedSocket]));
      });
      sending.on("error", reject).end(body);
    });
  expect(await send("POST", "/ingest/nonsense", Buffer.alloc(2_000_000))).toEqual([400, false]);
  expect(await send("GET", "/health")).toEqual([200, true]);
  agent.destroy();
});

describe("a question that makes no sense is refused with a reason", () => {
  test.each([
    ["/runs/no-such-run", 404, "not_found"],
    ["/rollouts/no-such-rollout", 404, "not_found"],
    ["/no-such-call", 404, "not_found"],
    ["/runs?limit=minus-one", 400, "invalid"],
    ["/failures?by=colour", 400, "invalid"],
    ["/nodes?from=yesterday", 400, "invalid"],
    ["/runs/%", 400, "invalid"],
    ["/nodes/%ED%A0%80", 400, "invalid"],
  ])("%s", async (path, status, code) => {
    const answer = await ask<Problem>(`${product.url}/api/v1${path}`);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.type).toContain("application/problem+json");
  });
});
