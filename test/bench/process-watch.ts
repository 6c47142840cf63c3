/** What a process uses, as Linux tells it. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const TICKS_A_SECOND = 100;

/** Seconds of CPU of the process and its threads; null where the system does not say. */
export function cpuSeconds(pid: number): number | null {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return null;
  const fields = readFileSync(path, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/** Resident memory in MB: now, and at its highest. */
export function residentMb(pid: number): { now: number; highest: number } | null {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return null;
  const text = readFileSync(path, "utf8");
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(text)?.[1] ?? Number.NaN) / 1024;
  return { now: of("VmRSS"), highest: of("VmHWM") };
}

export function folderBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? folderBytes(path) : statSync(path).size);
  }, 0);
}
