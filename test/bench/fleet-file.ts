/**
 * Writes a fleet's log for benchmarks: Fluent Bit records around exec daemon lines, the same bytes for the same arguments,
 * and what is in them. 1 000 000 lines are 454 MB.
 */
import { once } from "node:events";
import { createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SeededRandom } from "@/server/stats/seeded-random";

/** Lines that are no progress, by kind; of those that fail in the exec layer also by node. */
export interface FleetTruth {
  lines: number;
  bytes: number;
  commandExit: number;
  spawn: number;
  timeout: number;
  clientDisconnected: number;
  byNode: Record<string, Record<string, number>>;
}

interface Pod {
  id: string;
  uid: string;
  node: string;
  run: string;
}

const PODS = 400;
const NODES = 24;
const START = Date.parse("2026-11-20T04:00:00Z");
const COMMANDS = [
  "cd /repo && python -m pytest -x tests/test_api.py",
  "git status --short",
  "sed -n 40,160p lib/main.py",
  "ls -la",
  "grep -rn 'class Parser' lib",
  "python check.py",
  "cat > /tmp/change.diff <<EOF",
  "git apply /tmp/change.diff",
];

/** The file's path and its truth; made when it is not there yet. */
export async function fleetFile(folder: string, lines: number): Promise<{ path: string; truth: FleetTruth }> {
  const path = join(folder, `fleet-${lines}.ndjson`);
  const truthPath = join(folder, `fleet-${lines}.json`);
  if (existsSync(path) && existsSync(truthPath)) {
    return { path, truth: JSON.parse(readFileSync(truthPath, "utf8")) as FleetTruth };
  }
  mkdirSync(folder, { recursive: true });
  const truth = await write(path, lines);
  writeFileSync(truthPath, JSON.stringify(truth));
  return { path, truth };
}

async function write(path: string, lines: number): Promise<FleetTruth> {
  const random = new SeededRandom(20_261_120);
  const pods = Array.from({ length: PODS }, (_, i) => madePod(random, i));
  const truth = { lines, bytes: 0, commandExit: 0, spawn: 0, timeout: 0, clientDisconnected: 0, byNode: {} };
  const out = createWriteStream(path);
  let held = "";
  for (let i = 0; i < lines; i++) {
    held += `${record(random, pods[below(random, PODS)] as Pod, i, truth)}\n`;
    if (held.length < 1 << 20 && i < lines - 1) continue;
    truth.bytes += held.length;
    if (!out.write(held)) await once(out, "drain");
    held = "";
  }
  out.end();
  await once(out, "finish");
  return truth;
}

/** Whole, 0 ≤ n < `most`. */
function below(random: SeededRandom, most: number): number {
  return Math.floor(random.next() * most);
}

function hex(random: SeededRandom, length: number): string {
  return Array.from({ length }, () => below(random, 16).toString(16)).join("");
}

function madePod(random: SeededRandom, i: number): Pod {
  const id = [8, 4, 4, 4, 12].map((length) => hex(random, length)).join("-");
  return { id, uid: hex(random, 32), node: `ip-10-2-${i % NODES}-9.example.internal`, run: `mem-${(i % 2) * 6 + 2}gi` };
}

function record(random: SeededRandom, pod: Pod, i: number, truth: FleetTruth): string {
  const ts = new Date(START + i * 7 + below(random, 5)).toISOString();
  const { level, msg } = messageOf(random, pod, truth);
  const log = JSON.stringify({ level, ts: ts.replace("Z", "+0000"), msg });
  const kubernetes = {
    pod_name: `sandbox-${pod.id.slice(0, 13)}-0`,
    namespace_name: "opensandbox",
    pod_id: pod.uid,
    host: pod.node,
    labels: { "opensandbox.io/id": pod.id, "nemo-gym.nvidia.com/run": pod.run },
    container_name: "sandbox",
  };
  return JSON.stringify({ date: Date.parse(ts) / 1000, stream: "stderr", log, kubernetes });
}

function messageOf(random: SeededRandom, pod: Pod, truth: FleetTruth): { level: string; msg: string } {
  const dice = random.next();
  const command = COMMANDS[below(random, COMMANDS.length)];
  if (dice < 0.45) return { level: "info", msg: `received command: ${command}` };
  if (dice < 0.9) return { level: "info", msg: "Requested: POST - /command" };
  if (dice < 0.985) {
    return { level: "info", msg: `StreamEvent.OnExecuteComplete write data execution_time=${below(random, 9000)}` };
  }
  if (dice < 0.995) {
    truth.commandExit++;
    const status = [1, 1, 1, 2, 127][below(random, 5)];
    return { level: "error", msg: `CommandExecError: error running commands: exit status ${status}` };
  }
  return { level: "error", msg: faultOf(random, pod, truth, command) };
}

function faultOf(random: SeededRandom, pod: Pod, truth: FleetTruth, command: string | undefined): string {
  const dice = random.next();
  const kind = dice < 0.2 ? "spawn" : dice < 0.5 ? "timeout" : "clientDisconnected";
  truth[kind]++;
  truth.byNode[pod.node] ??= {};
  const counts = truth.byNode[pod.node] as Record<string, number>;
  counts[kind] = (counts[kind] ?? 0) + 1;
  if (kind === "timeout") return `timeout after 10m0s while running command: "${command}"`;
  if (kind === "clientDisconnected") return "StreamEvent.OnExecuteStdout: client disconnected";
  return "CommandExecError: error starting commands: fork/exec /bin/bash: resource temporarily unavailable";
}
