import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BatchAnswer, List, RunSummary } from "@/server/domain/answers";
import type { UploadAnswer } from "@/server/domain/upload";
import { type Product, startProduct } from "@/test/support/server";
import { ask, gymRow } from "./deliver";

const TASKS = 3_000;
const ROWS = Array.from({ length: TASKS }, (_, task) => gymRow(task, 0, { pad: "x".repeat(6000) }));
const BODY = ROWS.join("");

let product: Product;
let folder: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "coalmine-uploads-"));
  product = await startProduct();
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await product.remove();
  rmSync(folder, { recursive: true, force: true });
});

const api = (path: string): string => `${product.url}/api/v1${path}`;
const rollouts = async (run: string): Promise<number> => {
  const answer = await ask<RunSummary>(api(`/runs/${run}`));
  return answer.status === 404 ? 0 : answer.body.rollouts;
};
const complete = async (run: string): Promise<number> =>
  (await ask<List<BatchAnswer>>(api(`/batches?run=${run}`))).body.items.filter((one) => one.state === "complete")
    .length;

async function create(run: string): Promise<UploadAnswer> {
  const body = JSON.stringify({ name: "exp.jsonl", size: Buffer.byteLength(BODY), params: { run } });
  return (
    await ask<UploadAnswer>(api("/uploads"), { method: "POST", headers: { "content-type": "application/json" }, body })
  ).body;
}

/** The same data, served by a new process. */
async function killAndStartAgain(): Promise<void> {
  await product.kill();
  product = await startProduct({ dataDir: product.dataDir, port: product.port });
}

function cli(...args: string[]): { child: ChildProcess; output(): string; ended: Promise<number | null> } {
  const env = { ...process.env, COALMINE_URL: product.url, XDG_STATE_HOME: join(folder, "state") };
  const child = spawn(process.execPath, ["dist/coalmine.mjs", ...args], { env });
  children.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += String(chunk)));
  const ended = once(child, "close").then(() => child.exitCode);
  return { child, output: () => output, ended };
}

describe("an upload in pieces", () => {
  test("goes on after kill -9 in the middle of a piece, and counts once", async () => {
    const { id } = await create("torn");
    const sending = request(api(`/uploads/${id}?offset=0`), { method: "PUT" });
    sending.on("error", () => undefined);
    sending.write(Buffer.from(BODY).subarray(0, 5_000_000));
    await expect
      .poll(async () => (await ask<UploadAnswer>(api(`/uploads/${id}`))).body.offset, { timeout: 20_000 })
      .toBe(5_000_000);
    await killAndStartAgain();
    const { offset, state } = (await ask<UploadAnswer>(api(`/uploads/${id}`))).body;
    expect([offset, state]).toEqual([5_000_000, "receiving"]);
    const rest = Buffer.from(BODY).subarray(offset);
    const put = await ask<UploadAnswer>(api(`/uploads/${id}?offset=${offset}`), { method: "PUT", body: rest });
    expect(put.status).toBe(200);
    const done = await ask<UploadAnswer>(api(`/uploads/${id}/complete`), { method: "POST" });
    expect(done.body.result).toMatchObject({ rollouts: TASKS, rejected: 0, duplicateBatch: false });
    expect(await rollouts("torn")).toBe(TASKS);
    expect(readdirSync(join(product.dataDir, "uploads")).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("that is whole when the server is killed is read by the next one, once", async () => {
    const { id } = await create("whole");
    await ask(api(`/uploads/${id}?offset=0`), { method: "PUT", body: BODY });
    await killAndStartAgain();
    await expect
      .poll(async () => (await ask<UploadAnswer>(api(`/uploads/${id}`))).body.state, { timeout: 60_000 })
      .toBe("done");
    expect([await rollouts("whole"), await complete("whole")]).toEqual([TASKS, 1]);
  });

  test("by the command line goes on over a kill of the server", async () => {
    const path = join(folder, "big.jsonl");
    writeFileSync(path, BODY);
    const sending = cli("ingest", path, "--run", "by-cli");
    const begun = async () =>
      (await ask<List<UploadAnswer>>(api("/uploads"))).body.items.some((one) => one.run === "by-cli");
    await expect.poll(begun, { interval: 5, timeout: 30_000 }).toBe(true);
    await killAndStartAgain();
    expect(await sending.ended).toBe(0);
    expect([await rollouts("by-cli"), await complete("by-cli")]).toEqual([TASKS, 1]);
  });
});

describe("following a folder", () => {
  test("sends each row once over kills of the sender and of the server, and stops cleanly", async () => {
    const logs = join(folder, "logs");
    mkdirSync(logs);
    const path = join(logs, "rows.jsonl");
    const args = ["ingest", logs, "--follow", "--run", "followed"];
    writeFileSync(path, ROWS.slice(0, 400).join(""));
    const first = cli(...args);
    await expect.poll(() => rollouts("followed"), { timeout: 40_000 }).toBe(400);
    first.child.kill("SIGKILL");
    await first.ended;
    appendFileSync(path, ROWS.slice(400, 600).join(""));
    const second = cli(...args);
    await expect.poll(() => rollouts("followed"), { timeout: 40_000 }).toBe(600);
    await killAndStartAgain();
    appendFileSync(path, ROWS.slice(600, 700).join(""));
    await expect.poll(() => rollouts("followed"), { timeout: 60_000 }).toBe(700);
    second.child.kill("SIGINT");
    expect(await second.ended).toBe(0);
    const { items } = (await ask<List<BatchAnswer>>(api("/batches?run=followed"))).body;
    const records = items.filter((one) => one.state === "complete").reduce((sum, one) => sum + one.records, 0);
    expect(records).toBe(700);
  });
});
