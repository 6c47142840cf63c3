/**
 * The plain way to take a log in: split lines, parse the record and the line in it, insert every row. Asked to `keep`, the row holds the raw
 * line too, and is found by its pod and time: what Coalmine gives. Prints its seconds of CPU.
 */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import Database from "better-sqlite3";

const ROWS_A_COMMIT = 20_000;

interface Collected {
  date: number;
  log: string;
  kubernetes: { pod_id: string; host: string; labels: Record<string, string> };
}

const [file = "", folder = "", keep] = process.argv.slice(2);
const database = new Database(join(folder, "floor.db"));
database.pragma("journal_mode = WAL");
database.pragma("synchronous = FULL");
database.exec("CREATE TABLE lines (at INTEGER, pod TEXT, node TEXT, run TEXT, level TEXT, msg TEXT, raw TEXT)");
if (keep) database.exec("CREATE INDEX lines_of_pod ON lines (pod, at)");
const insert = database.prepare("INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?)");
let rows = 0;

database.exec("BEGIN");
for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
  const { date, log, kubernetes } = JSON.parse(line) as Collected;
  const { level, msg } = JSON.parse(log) as { level: string; msg: string };
  const run = kubernetes.labels["nemo-gym.nvidia.com/run"] ?? null;
  insert.run(date * 1000, kubernetes.pod_id, kubernetes.host, run, level, msg, keep ? line : null);
  if (++rows % ROWS_A_COMMIT === 0) database.exec("COMMIT; BEGIN");
}
database.exec("COMMIT");
database.close();
const { user, system } = process.cpuUsage();
process.stdout.write(`${JSON.stringify({ rows, cpuS: (user + system) / 1e6 })}\n`);
