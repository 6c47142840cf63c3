/** Programs that the ingest bench starts, and what they cost. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, mkdirSync, statSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { IngestResult } from "@/server/domain/batch";
import { cpuSeconds, folderBytes, residentMb } from "./process-watch";

/** In half a second. */
const QUIET_CPU_S = 0.02;

const SEARCHES = 20;
/** In nearly half of the file's lines, in a few thousand, in none. */
const SEARCHED = ["received", "temporarily", "nowhere"];

export interface IngestRun {
  /** Seconds of CPU of the server while it took the file, and what went by meanwhile. */
  cpuS: number | null;
  wallS: number;
  /** Highest resident memory above that before the delivery. */
  aboveIdleMb: number | null;
  /** After a clean stop. */
  bytesStored: number;
  result: IngestResult;
  /** Milliseconds for the first page of a search, by word; the 95th percentile of twenty. */
  searchMs: Record<string, number>;
  /** Observations by kind and by class and node, as the store has them afterwards. */
  counted: { dataDir: string };
}

/** The command as it runs on one core, where that can be asked for. */
function onCores(cores: 1 | 2, command: readonly string[]): [string, string[]] {
  const [program = "", ...args] = command;
  if (cores === 2 || process.platform !== "linux") return [program, args];
  return ["taskset", ["-c", "0", program, ...args]];
}

interface PlainRun {
  rows: number;
  /** Seconds of CPU. */
  cpuS: number;
}

/** Takes the file in the plain way; `keep` as `ingest-floor.ts` says. */
export function runFloor(script: string, file: string, folder: string, keep = false): PlainRun {
  mkdirSync(folder, { recursive: true });
  const [program, args] = onCores(1, [process.execPath, script, file, folder, ...(keep ? ["keep"] : [])]);
  return JSON.parse(execFileSync(program, args, { encoding: "utf8" })) as PlainRun;
}

/** How a server is run and what it took in, and gave back, before the file: a server is started once and then runs. */
interface Setup {
  server: string;
  distDir: string;
  dataDir: string;
  cores: 1 | 2;
  before?: string;
}

/** Starts the API on an empty store and sends it the file over HTTP. */
export async function runIngest({ server, distDir, dataDir, cores, before }: Setup, file: string): Promise<IngestRun> {
  mkdirSync(dataDir, { recursive: true });
  const [program, args] = onCores(cores, [process.execPath, server, dataDir, distDir]);
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const pid = child.pid as number;
  try {
    const [printed] = (await once(child.stdout, "data")) as [Buffer];
    const port = Number(String(printed));
    await quiet(pid);
    const idle = residentMb(pid);
    if (before !== undefined) {
      await takeBack(port, await send(port, before));
      await quiet(pid);
    }
    const cpu = cpuSeconds(pid);
    const began = performance.now();
    const result = await send(port, file);
    const wallS = (performance.now() - began) / 1000;
    const after = cpuSeconds(pid);
    const cpuS = cpu === null || after === null ? null : after - cpu;
    const memory = residentMb(pid);
    const aboveIdleMb = idle && memory ? memory.highest - idle.now : null;
    const searchMs: Record<string, number> = {};
    for (const word of SEARCHED) searchMs[word] = await searching(port, word);
    await stop(child);
    return { cpuS, wallS, aboveIdleMb, bytesStored: folderBytes(dataDir), result, searchMs, counted: { dataDir } };
  } finally {
    await stop(child);
  }
}

/** Its threads have started, or ended what they did. */
async function quiet(pid: number): Promise<void> {
  for (let last = -1; ; ) {
    const now = cpuSeconds(pid) ?? last;
    if (now - last < QUIET_CPU_S) return;
    last = now;
    await sleep(500);
  }
}

async function takeBack(port: number, { batchId }: IngestResult): Promise<void> {
  await call(port, "DELETE", `/api/v1/batches/${batchId}`);
}

/** Its log of changes, bounded whatever was sent, is folded into the store when it stops. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

async function searching(port: number, word: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < SEARCHES; i++) {
    const began = performance.now();
    await call(port, "GET", `/api/v1/search?q=${word}`);
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[Math.ceil(SEARCHES * 0.95) - 1] as number;
}

async function send(port: number, file: string): Promise<IngestResult> {
  return JSON.parse(await call(port, "POST", "/api/v1/ingest/auto?source=bench", file)) as IngestResult;
}

function call(port: number, method: string, path: string, file?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // The server answers to its own name only.
    const headers = { host: "127.0.0.1:4180", ...(file && { "content-length": statSync(file).size }) };
    const sending = request({ port, host: "127.0.0.1", method, path, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += String(chunk)));
      response.on("end", () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${response.statusCode} ${text}`));
      });
    });
    sending.on("error", reject);
    if (file) createReadStream(file, { highWaterMark: 256 * 1024 }).pipe(sending);
    else sending.end();
  });
}

/** The same by ClickHouse in a process of its own; or why it was not measured. It is 500 MB, so nobody gets it unasked. */
export function runClickhouse(script: string, file: string, folder: string): PlainRun | { notMeasured: string } {
  if (!existsSync(join(process.cwd(), "node_modules", "chdb"))) {
    return { notMeasured: "`npm install --no-save chdb` brings it" };
  }
  mkdirSync(folder, { recursive: true });
  const [program, args] = onCores(1, [process.execPath, script, file, join(folder, "data")]);
  const printed = execFileSync(program, args, { encoding: "utf8" });
  return JSON.parse(printed) as PlainRun;
}
