/** Programs that the ingest bench starts, and what they cost. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, mkdirSync, statSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import type { IngestResult } from "@/server/domain/batch";
import { cpuSeconds, folderBytes, residentMb } from "./process-watch";

export interface IngestRun {
  /** Seconds of CPU of the server while it took the file, and what went by meanwhile. */
  cpuS: number | null;
  wallS: number;
  /** Highest resident memory above that before the delivery. */
  aboveIdleMb: number | null;
  /** After a clean stop. */
  bytesStored: number;
  result: IngestResult;
  /** Observations by kind and by class and node, as the store has them afterwards. */
  counted: { dataDir: string };
}

/** The command as it runs on one core, where that can be asked for. */
function onCores(cores: 1 | 2, command: readonly string[]): [string, string[]] {
  const [program = "", ...args] = command;
  if (cores === 2 || process.platform !== "linux") return [program, args];
  return ["taskset", ["-c", "0", program, ...args]];
}

export function runFloor(script: string, file: string, folder: string): { rows: number; cpuS: number } {
  mkdirSync(folder, { recursive: true });
  const [program, args] = onCores(1, [process.execPath, script, file, folder]);
  return JSON.parse(execFileSync(program, args, { encoding: "utf8" })) as { rows: number; cpuS: number };
}

/** Starts the API on an empty store and sends it the file over HTTP. */
export async function runIngest(
  scripts: { server: string; distDir: string },
  file: string,
  dataDir: string,
  cores: 1 | 2,
): Promise<IngestRun> {
  mkdirSync(dataDir, { recursive: true });
  const [program, args] = onCores(cores, [process.execPath, scripts.server, dataDir, scripts.distDir]);
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const pid = child.pid as number;
  try {
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    const idle = residentMb(pid);
    const cpu = cpuSeconds(pid);
    const began = performance.now();
    const result = await send(Number(String(port)), file);
    const wallS = (performance.now() - began) / 1000;
    const after = cpuSeconds(pid);
    const cpuS = cpu === null || after === null ? null : after - cpu;
    const memory = residentMb(pid);
    const aboveIdleMb = idle && memory ? memory.highest - idle.now : null;
    await stop(child);
    return { cpuS, wallS, aboveIdleMb, bytesStored: folderBytes(dataDir), result, counted: { dataDir } };
  } finally {
    await stop(child);
  }
}

/** Its log of changes, bounded whatever was sent, is folded into the store when it stops. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

function send(port: number, file: string): Promise<IngestResult> {
  return new Promise((resolve, reject) => {
    const headers = { "content-length": statSync(file).size, host: "127.0.0.1:4180" };
    const path = "/api/v1/ingest/auto?source=bench";
    const sending = request({ port, host: "127.0.0.1", method: "POST", path, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += String(chunk)));
      response.on("end", () => {
        if (response.statusCode === 200) resolve(JSON.parse(text) as IngestResult);
        else reject(new Error(`${response.statusCode} ${text}`));
      });
    });
    sending.on("error", reject);
    createReadStream(file, { highWaterMark: 256 * 1024 }).pipe(sending);
  });
}

/** Seconds that ClickHouse takes with one thread to read the same file into a table that keeps the line; or why it was not measured. */
export function runClickhouse(file: string, folder: string): { cpuS: number } | { notMeasured: string } {
  mkdirSync(folder, { recursive: true });
  const table = `CREATE TABLE lines (at Float64, pod String, node String, failed UInt8, raw String CODEC(ZSTD))
    ENGINE = MergeTree ORDER BY (pod, at)`;
  const insert = `INSERT INTO lines SELECT JSONExtractFloat(line, 'date'), JSONExtractString(line, 'kubernetes', 'pod_id'),
    JSONExtractString(line, 'kubernetes', 'host'), multiSearchAny(line, ['CommandExecError', 'timeout after', 'disconnected']), line
    FROM file('${file}', LineAsString)`;
  const args = ["local", "--path", join(folder, "clickhouse"), "--max_threads", "1", "--max_insert_threads", "1"];
  try {
    const [program, all] = onCores(1, ["clickhouse", ...args, "--multiquery", "--query", `${table}; ${insert}`]);
    const began = performance.now();
    execFileSync(program, all, { stdio: ["ignore", "ignore", "ignore"] });
    return { cpuS: (performance.now() - began) / 1000 };
  } catch {
    return { notMeasured: "there is no `clickhouse` in the PATH" };
  }
}
