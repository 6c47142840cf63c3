/**
 * `npm run bench -- ingest [LINES] [--growth]`: a fleet's log taken in over HTTP, against the plain way of doing it on the same core in the
 * same run. Default 1 000 000 lines (454 MB); with `--growth` also ten times as many.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import Database from "better-sqlite3";
import { openStore } from "@/db/open-store";
import { type FleetTruth, fleetFile } from "./fleet-file";
import { type IngestRun, runClickhouse, runFloor, runIngest } from "./ingest-runs";

interface Row {
  bench: "ingest";
  what: string;
  value: number | null;
  unit: string;
  bar: string;
}

const rows: Row[] = [];

function say(what: string, value: number | null, unit: string, bar = ""): void {
  const rounded = value === null ? null : Math.round(value * 1000) / 1000;
  rows.push({ bench: "ingest", what, value: rounded, unit, bar });
  process.stdout.write(`${JSON.stringify(rows.at(-1))}\n`);
}

async function bundles(outdir: string): Promise<void> {
  const build = pathToFileURL(join(process.cwd(), "deploy", "build.mjs")).href;
  const { buildBundles } = (await import(build)) as {
    buildBundles(outdir: string, entries?: Record<string, string>): Promise<void>;
  };
  await buildBundles(outdir);
  const programs = ["server", "floor", "clickhouse"].map((name) => [name, `test/bench/ingest-${name}.ts`]);
  await buildBundles(outdir, Object.fromEntries(programs) as Record<string, string>);
}

/** Are the stored observations those that the file was made of, by kind and by node? */
async function equalsTruth({ counted: { dataDir }, result }: IngestRun, truth: FleetTruth): Promise<string[]> {
  const store = await openStore({ dataDir, readOnly: true });
  const wrong: string[] = [];
  const mustBe = (what: string, found: number, made: number) => {
    if (found !== made) wrong.push(`${what}: ${found}, not ${made}`);
  };
  try {
    const seen = await store.countObservations({});
    const of = (fits: (row: (typeof seen)[number]) => boolean) =>
      seen.filter(fits).reduce((sum, row) => sum + row.n, 0);
    mustBe(
      "clientDisconnected",
      of((row) => row.kind === "error"),
      truth.clientDisconnected,
    );
    const rest = truth.commandExit + truth.timeout + truth.spawn;
    mustBe(
      "commandExit, timeout and spawn",
      of((row) => row.kind === "exec_log"),
      rest,
    );
    await nodesEqual(dataDir, truth, mustBe);
    mustBe("lines", result.records, truth.lines);
    const blocks = await store.archiveBlocks({}, { limit: 1000, cursor: null });
    if (blocks.next === null)
      mustBe(
        "archived",
        blocks.items.reduce((sum, one) => sum + one.lines, 0),
        truth.lines,
      );
    mustBe("nodes", (await store.nodes({})).length, Object.keys(truth.byNode).length);
  } finally {
    await store.close();
  }
  return wrong;
}

/** The lines of each kind and node, as their texts tell them. */
async function nodesEqual(
  dataDir: string,
  truth: FleetTruth,
  mustBe: (what: string, found: number, made: number) => void,
) {
  const plain = new Database(join(dataDir, "coalmine.db"), { readonly: true });
  const kinds = { spawn: "%fork/exec%", timeout: "%timeout after%", clientDisconnected: "%client disconnected%" };
  const count = plain.prepare("SELECT count(*) AS n FROM observations WHERE main = 1 AND node = ? AND text LIKE ?");
  for (const [node, made] of Object.entries(truth.byNode)) {
    for (const [kind, like] of Object.entries(kinds)) {
      mustBe(`${kind} on ${node}`, (count.get(node, like) as { n: number }).n, made[kind] ?? 0);
    }
  }
  plain.close();
}

async function main(): Promise<void> {
  const [lines = "1000000"] = process.argv.slice(2).filter((one) => /^\d+$/.test(one));
  const files = join(process.cwd(), "node_modules", ".cache", "coalmine-bench");
  const folder = mkdtempSync(join(tmpdir(), "coalmine-bench-"));
  const distDir = mkdtempSync(join(files, "dist-"));
  const scripts = { server: join(distDir, "server.mjs"), distDir };
  try {
    const { path, truth } = await fleetFile(files, Number(lines));
    await bundles(distDir);
    const floor = runFloor(join(distDir, "floor.mjs"), path, join(folder, "floor"));
    say("plain Node.js, one core, a bare row a line", floor.cpuS, "CPU s");
    const keeping = runFloor(join(distDir, "floor.mjs"), path, join(folder, "keeping"), true);
    say("plain Node.js, one core, the raw line and an index kept", keeping.cpuS, "CPU s");
    const clickhouse = runClickhouse(join(distDir, "clickhouse.mjs"), path, join(folder, "clickhouse"));
    if ("cpuS" in clickhouse) say("ClickHouse, one thread, the raw line kept", clickhouse.cpuS, "CPU s");
    else say(`ClickHouse: not measured, ${clickhouse.notMeasured}`, null, "");
    const cold = await runIngest({ ...scripts, dataDir: join(folder, "cold"), cores: 1 }, path);
    say("Coalmine, one core, first delivery after its start", cold.cpuS, "CPU s");
    const { path: before } = await fleetFile(files, Math.ceil(Number(lines) / 10));
    const one = await runIngest({ ...scripts, dataDir: join(folder, "one"), cores: 1, before }, path);
    const cpuS = one.cpuS ?? Number.NaN;
    say("Coalmine, one core, after an earlier delivery", one.cpuS, "CPU s");
    say("plain, a bare row ÷ Coalmine", floor.cpuS / cpuS, "times", "≥ 3");
    say("plain, raw line and index ÷ Coalmine", keeping.cpuS / cpuS, "times", "≥ 3");
    if ("cpuS" in clickhouse) say("ClickHouse ÷ Coalmine", clickhouse.cpuS / cpuS, "times", "≥ 0.5");
    say("observations and lines that differ from the truth", (await report(one, truth)).length, "", "0");
    say("memory above idle", one.aboveIdleMb, "MB", "≤ 300");
    say("stored per byte sent", one.bytesStored / truth.bytes, "B/B", "≤ 0.15");
    for (const [word, ms] of Object.entries(one.searchMs)) say(`search for "${word}", p95`, ms, "ms", "≤ 300");
    const two = await runIngest({ ...scripts, dataDir: join(folder, "two"), cores: 2, before }, path);
    say("one core ÷ two cores, time", one.wallS / two.wallS, "times", "≥ 1.5");
    if (process.argv.includes("--growth")) await growth(scripts, files, folder, Number(lines), cold);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(distDir, { recursive: true, force: true });
  }
  const width = Math.max(...rows.map((row) => row.what.length));
  for (const { what, value, unit, bar } of rows) {
    process.stdout.write(`${what.padEnd(width)}  ${String(value ?? "–").padStart(9)} ${unit.padEnd(6)} ${bar}\n`);
  }
}

async function report(run: IngestRun, truth: FleetTruth): Promise<string[]> {
  const wrong = await equalsTruth(run, truth);
  for (const one of wrong) process.stdout.write(`  ${one}\n`);
  return wrong;
}

/** Cost of a line when ten times as many came before. */
async function growth(
  scripts: { server: string; distDir: string },
  files: string,
  folder: string,
  lines: number,
  one: IngestRun,
) {
  const { path, truth } = await fleetFile(files, lines * 10);
  const ten = await runIngest({ ...scripts, dataDir: join(folder, "ten"), cores: 1 }, path);
  await report(ten, truth);
  const last = ten.cpuS === null || one.cpuS === null ? null : (ten.cpuS - one.cpuS) / 9;
  say(
    `a line after ${lines * 10} ÷ after ${lines}`,
    last === null ? null : last / (one.cpuS as number),
    "times",
    "≤ 1.2",
  );
  say("memory above idle, ten times the file", ten.aboveIdleMb, "MB", "≤ 300");
}

await main();
