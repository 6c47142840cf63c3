/** ClickHouse's way to take a log in, with one thread: parse each record, look for several words, keep the line. Prints its seconds of CPU. */
import { createRequire } from "node:module";
import { join } from "node:path";

interface Session {
  query(sql: string, format?: string): string;
}

const [file = "", folder = ""] = process.argv.slice(2);
const { Session } = createRequire(join(process.cwd(), "package.json"))("chdb") as {
  Session: new (folder: string) => Session;
};
const session = new Session(folder);
session.query("CREATE DATABASE bench ENGINE = Atomic");
session.query(`CREATE TABLE bench.lines (at Float64, pod String, node String, failed UInt8, raw String CODEC(ZSTD(1)))
  ENGINE = MergeTree ORDER BY (pod, at)`);
const before = process.cpuUsage();
session.query(`INSERT INTO bench.lines SELECT JSONExtractFloat(line, 'date'), JSONExtractString(line, 'kubernetes', 'pod_id'),
  JSONExtractString(line, 'kubernetes', 'host'), multiSearchAny(line, ['CommandExecError', 'timeout after', 'disconnected']), line
  FROM file('${file}', LineAsString) SETTINGS max_threads = 1, max_insert_threads = 1`);
const { user, system } = process.cpuUsage(before);
const rows = Number(session.query("SELECT count() FROM bench.lines", "CSV"));
process.stdout.write(`${JSON.stringify({ rows, cpuS: (user + system) / 1e6 })}\n`);
