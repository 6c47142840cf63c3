import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BatchAnswer, List, RunSummary } from "@/server/domain/answers";
import { type Product, startProduct } from "@/test/support/server";
import { ask, deliver, gymRow } from "./deliver";

const TASKS = 6_000;
const BODY = Array.from({ length: TASKS }, (_, task) => gymRow(task, 0) + gymRow(task, 1)).join("");
const QUERY = { run: "torn" };

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.remove());

/** Sends the first part of a delivery and leaves the rest unsent, as a slow sender does. */
function sendHalf(url: string): void {
  const half = Buffer.from(BODY).subarray(0, Math.floor(BODY.length * 0.7));
  const sending = request(`${url}/api/v1/ingest/auto?run=torn`, {
    method: "POST",
    headers: { "content-length": String(Buffer.byteLength(BODY)) },
  });
  sending.on("error", () => undefined);
  sending.write(half);
}

async function rollouts(): Promise<number> {
  const answer = await ask<RunSummary>(`${product.url}/api/v1/runs/torn`);
  return answer.status === 404 ? 0 : answer.body.rollouts;
}

/** The same data, served by a new process. */
async function startAgain(): Promise<void> {
  product = await startProduct({ dataDir: product.dataDir, port: product.port });
}

describe("kill -9", () => {
  test("in the middle of a delivery leaves nothing half: sent again it counts once", async () => {
    sendHalf(product.url);
    await sleep(1_500);
    await product.kill();
    await startAgain();
    const before = await ask<List<BatchAnswer>>(`${product.url}/api/v1/batches`);
    expect(before.body.items.filter((batch) => batch.state === "complete")).toEqual([]);

    const answer = await deliver(product.url, BODY, { query: QUERY });
    expect([answer.status, answer.body.duplicateBatch]).toEqual([200, false]);
    expect([answer.body.rollouts, answer.body.rejected]).toEqual([2 * TASKS, 0]);
    expect(await rollouts()).toBe(2 * TASKS);
  });

  test("right after the answer loses nothing of what was answered with 200", async () => {
    const more = gymRow(TASKS, 0) + gymRow(TASKS, 1);
    expect((await deliver(product.url, more, { query: QUERY })).status).toBe(200);
    await product.kill();
    await startAgain();
    expect(await rollouts()).toBe(2 * TASKS + 2);
    expect((await deliver(product.url, more, { query: QUERY })).body.duplicateBatch).toBe(true);
    expect(await rollouts()).toBe(2 * TASKS + 2);
  });

  test("a sender that goes away in the middle leaves nothing behind either", async () => {
    const controller = new AbortController();
    const body = new ReadableStream({
      async start(stream) {
        stream.enqueue(new TextEncoder().encode(gymRow(TASKS + 1, 0)));
        await sleep(300);
        controller.abort();
      },
    });
    const init = { method: "POST", body, signal: controller.signal, duplex: "half" } as RequestInit;
    await fetch(`${product.url}/api/v1/ingest/auto?run=left`, init).catch(() => null);
    await sleep(500);
    const complete = await ask<List<BatchAnswer>>(`${product.url}/api/v1/batches`);
    expect(complete.body.items.filter((batch) => batch.run === "left" && batch.state === "complete")).toEqual([]);
    expect(await rollouts()).toBe(2 * TASKS + 2);
  });
});
