/** The steps of `verify` and `check`: each returns how many of its tests passed, failed and were skipped. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { buildProduct } from "./product.mjs";
import { root, runPackage, start } from "./run-step.mjs";

const LINT = ["--config-path", "test/lint.biome.json", "app", "server", "db", "test"];

/** A step without tests of its own counts as one. */
const asOne = (ok, notes = []) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, notes });

/** Runs a package's program as one test; what it says is told with the counts, and only when it failed. */
async function program(bin, args) {
  const child = start(process.execPath, [join(root, "node_modules", bin), ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  const ok = await new Promise((resolve) => child.once("error", () => resolve(false)).once("close", (code) => resolve(code === 0)));
  return asOne(ok, ok ? [] : said.trimEnd().split("\n"));
}

/** One line per test that failed, or passed only when tried again: a log cut to its end still names them. */
function troubles({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults
      .filter((one) => one.failureMessages?.length > 0)
      .map((one) => `${one.status} ${file} › ${one.fullName}: ${one.failureMessages.map(firstLine).join(" | ")}`);
    return tests.length === 0 && status === "failed" ? [`failed ${file}: ${firstLine(message ?? "")}`] : tests;
  });
}

const firstLine = (text) => stripVTControlCharacters(text).split("\n").slice(0, 2).join(" ").slice(0, 300);

async function vitest(config, filters, excludes = [], options = []) {
  const folder = mkdtempSync(join(tmpdir(), "coalmine-verify-"));
  const report = join(folder, "report.json");
  const args = ["run", "-c", config, ...options, ...filters, ...excludes.flatMap((glob) => ["--exclude", glob])];
  const code = await runPackage("vitest/vitest.mjs", [...args, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]);
  let counts = { passed: 0, failed: 0, skipped: 0, notes: [] };
  try {
    const seen = JSON.parse(readFileSync(report, "utf8"));
    const skipped = seen.numPendingTests + seen.numTodoTests;
    counts = { passed: seen.numPassedTests, failed: seen.numFailedTests, skipped, notes: troubles(seen) };
  } catch {
    console.error("The test runner left no report.");
  }
  rmSync(folder, { recursive: true, force: true });
  // A file that cannot be loaded fails without a failed test.
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

const MAIN = "test/vitest.config.ts";
const SLOW = "**/*.slow.test.ts";
const NOT_UNIT = [SLOW, "test/architecture/**", "test/canary/**", "test/cases/**", "test/integration/**", "test/bench/**"];

export const format = { name: "format", run: () => program("@biomejs/biome/bin/biome", ["format", ...LINT]) };
export const lint = { name: "lint", run: () => program("@biomejs/biome/bin/biome", ["check", "--formatter-enabled=false", ...LINT]) };
export const types = {
  name: "types",
  run: async () => {
    // Writes next-env.d.ts and the route types, which a clean clone lacks.
    await runPackage("next/dist/bin/next", ["typegen"], { stdio: "ignore" });
    return program("typescript/bin/tsc", ["-p", "."]);
  },
};
export const build = { name: "build", run: async () => asOne(await buildProduct()) };
export const architecture = { name: "architecture", run: () => vitest(MAIN, ["test/architecture"]) };
/** Unit tests that need no real server: the fast part. */
export const unit = { name: "unit", run: () => vitest(MAIN, [], NOT_UNIT) };
/** Simulations, exhaustive comparisons and tests on the built threads: seconds each. */
export const slow = { name: "slow", run: () => vitest(MAIN, [".slow.test.ts"]) };
/** Measures real sockets in milliseconds: alone on the machine. What may be measured again says so itself, and why. */
export const canary = { name: "canary", run: () => vitest(MAIN, ["test/canary"], [], ["--no-file-parallelism", "--isolate"]) };
export const cases = { name: "cases", run: () => vitest(MAIN, ["test/cases"]) };
export const integration = { name: "integration", run: () => vitest("test/integration/vitest.config.ts", []) };
export const browser = { name: "browser", run: () => vitest("test/e2e/vitest.config.ts", []) };

/** Runs lanes of steps side by side, in a lane one after the other, all of them, and ends with the one line that sums them up. */
export async function runSteps(...lanes) {
  const reports = await Promise.all(lanes.map(runLane));
  const total = { passed: 0, failed: 0, skipped: 0 };
  console.log();
  for (const { name, counts, seconds } of reports.flat()) {
    for (const key of ["passed", "failed", "skipped"]) total[key] += counts[key];
    console.log(`${counts.failed === 0 ? "ok  " : "FAIL"} ${name.padEnd(13)} ${String(counts.passed).padStart(5)} passed ${seconds.padStart(7)} s`);
    for (const note of counts.notes ?? []) console.log(`     ${note}`);
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exit(total.failed === 0 ? 0 : 1);
}

async function runLane(steps) {
  const reports = [];
  for (const { name, run } of steps) {
    console.log(`\n── ${name} ──`);
    const began = Date.now();
    reports.push({ name, counts: await run(), seconds: ((Date.now() - began) / 1000).toFixed(1) });
  }
  return reports;
}
