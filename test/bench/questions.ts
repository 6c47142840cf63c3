/**
 * `npm run bench -- questions [ROLLOUTS | FOLDER] [--ingest]`: every page's API call against a seeded store, in the threads
 * that the product runs. `first` is the first such call of the process, `whole` when it was first answered with nothing
 * pending, `changed` the first call after one run of the store changed; p50 and p95 are of repeated calls, none of them
 * pending; with `--ingest` those are taken while a delivery is read at full speed.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { handle } from "@/server/http/handle";
import { readSettings } from "@/server/settings";
import { openServices, type Services } from "@/server/wire";
import { deliverLines, keepDelivering } from "./deliveries";
import { type Asked, pageCalls } from "./page-calls";
import { seedFolder } from "./seed-folder";

const ORIGIN = "http://127.0.0.1:4180";
const TIMES = 20;
const BAR_MS = 50;
const ASK_AGAIN_MS = 100;
const GIVE_UP_MS = 300_000;

interface Measured {
  bench: "questions";
  page: string;
  call: string;
  bar: number;
  first: number;
  whole: number;
  changed: number;
  p50: number;
  p95: number;
  kilobytes: number;
}

async function ask(services: Services, path: string): Promise<{ ms: number; body: string }> {
  const began = performance.now();
  const response = await handle(new Request(`${ORIGIN}/api/v1${path}`), services);
  const body = await response.text();
  const ms = performance.now() - began;
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body}`);
  return { ms, body };
}

/** `p` of sorted values, nearest rank. */
function percentile(sorted: readonly number[], p: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * p) - 1)] ?? Number.NaN;
}

async function repeated(services: Services, path: string): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < TIMES; i++) times.push((await ask(services, path)).ms);
  return times.sort((a, b) => a - b);
}

/** Asks until nothing is pending any more. Resolves to how long that took from `began` on. */
async function whole(services: Services, path: string, began: number): Promise<number> {
  while (performance.now() - began < GIVE_UP_MS) {
    const { body } = await ask(services, path);
    if (!body.includes('"pending":true')) return performance.now() - began;
    await sleep(ASK_AGAIN_MS);
  }
  throw new Error(`${path} was still pending after ${GIVE_UP_MS} ms`);
}

async function measure(services: Services, calls: readonly Asked[], ingesting: boolean): Promise<Measured[]> {
  const first = new Map<string, { ms: number; whole: number }>();
  for (const { path } of calls) {
    const began = performance.now();
    const { ms } = await ask(services, path);
    first.set(path, { ms, whole: await whole(services, path, began) });
  }
  const rows: Measured[] = [];
  for (const { page, path, bar = BAR_MS } of calls) {
    await deliverLines(services, "bench-other-run", 5);
    const changed = await ask(services, path);
    await whole(services, path, performance.now());
    const load = ingesting ? keepDelivering(services) : null;
    const times = await repeated(services, path);
    await load?.stop();
    const known = first.get(path);
    const figures = {
      first: known?.ms ?? 0,
      whole: known?.whole ?? 0,
      changed: changed.ms,
      p50: percentile(times, 0.5),
    };
    const kilobytes = Math.round((await ask(services, path)).body.length / 1024);
    rows.push({ bench: "questions", page, call: path, bar, ...figures, p95: percentile(times, 0.95), kilobytes });
    process.stdout.write(`${JSON.stringify(rows.at(-1))}\n`);
  }
  return rows;
}

async function open(dataDir: string, distDir: string): Promise<Services> {
  const build = pathToFileURL(join(process.cwd(), "deploy", "build.mjs")).href;
  const { buildBundles } = (await import(build)) as { buildBundles(outdir: string): Promise<void> };
  await buildBundles(distDir);
  const settings = readSettings({ COALMINE_DATA: dataDir, COALMINE_LOG_LEVEL: "error" });
  return openServices({ settings, distDir });
}

function table(rows: readonly Measured[]): string {
  const line = (cells: readonly string[]) =>
    `${(cells[0] ?? "").padEnd(64)}${cells
      .slice(1)
      .map((c) => c.padStart(9))
      .join("")}`;
  const ms = (value: number) => value.toFixed(1);
  const body = rows.map((row) =>
    line([
      row.call.slice(0, 62),
      ms(row.first),
      ms(row.whole),
      ms(row.changed),
      ms(row.p50),
      ms(row.p95),
      row.p95 > row.bar ? "over" : "",
    ]),
  );
  return [line(["call (ms)", "first", "whole", "changed", "p50", "p95", ""]), ...body].join("\n");
}

async function main(): Promise<void> {
  const [target = "100000", ...flags] = process.argv.slice(2);
  const dataDir = /^\d+$/.test(target) ? seedFolder(Number(target)) : target;
  if (!existsSync(dataDir)) throw new Error(`There is no store in ${dataDir}: npm run bench -- seed ${target}`);
  const distDir = mkdtempSync(join(process.cwd(), "node_modules", ".cache", "coalmine-bench", "dist-"));
  const services = await open(dataDir, distDir);
  try {
    const rows = await measure(services, await pageCalls(services.store), flags.includes("--ingest"));
    process.stdout.write(`${table(rows)}\n`);
  } finally {
    await services.close();
    rmSync(distDir, { recursive: true });
  }
}

await main();
