import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Api } from "@/server/cli/api";
import { type FollowOptions, follow } from "@/server/cli/follow";
import { type RealServer, realServer } from "../http/real-services";
import { ApiServer } from "./api-server";
import { countedIn, line, sandboxesToldOf } from "./followed-lines";
import { type TestTerminal, testTerminal } from "./terminal-of-test";

/** The machine may have much else to do. */
const SOON = { timeout: 20_000 };
let folder: string;
let logs: string;
let real: RealServer;
let server: ApiServer;
let stops: (() => Promise<number>)[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "coalmine-follow-"));
  logs = join(folder, "logs");
  mkdirSync(logs);
  real = await realServer();
  server = new ApiServer(real);
  await server.open();
});
afterEach(async () => {
  for (const stop of stops) await stop();
  stops = [];
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function begin(
  paths: string[],
  options: Partial<FollowOptions> = {},
): { terminal: TestTerminal; stop: () => Promise<number> } {
  const terminal = testTerminal({ COALMINE_URL: server.url, XDG_STATE_HOME: join(folder, "state") });
  const api = new Api(terminal);
  const abort = new AbortController();
  const pace = { pollMs: 15, gatherMs: 0, restMs: 60, mostWaitMs: 1000 };
  const ended = follow(api, terminal, paths, { format: "auto", ...options }, { signal: abort.signal, ...pace });
  let stopped: Promise<number> | undefined;
  const stop = (): Promise<number> => {
    abort.abort();
    stopped ??= ended.finally(() => api.close());
    return stopped;
  };
  ended.catch(() => undefined);
  stops.push(() => stop().catch(() => 2));
  return { terminal, stop };
}

const told = () => sandboxesToldOf(real);
const counted = () => countedIn(real);

vi.setConfig({ testTimeout: 60_000 });

describe("following a folder", () => {
  test("sends what is there, then what is added and what is new, each line once", async () => {
    writeFileSync(join(logs, "a.log"), line("a1") + line("a2"));
    begin([logs]);
    await expect.poll(told, SOON).toEqual(["a1", "a2"]);
    appendFileSync(join(logs, "a.log"), line("a3"));
    writeFileSync(join(logs, "b.log"), line("b1"));
    await expect.poll(told, SOON).toEqual(["a1", "a2", "a3", "b1"]);
    expect(await counted()).toEqual([4, 4]);
  });

  test("waits for the end of a line", async () => {
    const path = join(logs, "a.log");
    const [whole, torn] = [line("a1"), line("a2")];
    writeFileSync(path, whole + torn.slice(0, 30));
    begin([logs]);
    await expect.poll(told, SOON).toEqual(["a1"]);
    appendFileSync(path, torn.slice(30));
    await expect.poll(told, SOON).toEqual(["a1", "a2"]);
    expect(await counted()).toEqual([2, 2]);
  });

  test("stops when it is told to, and goes on later where it was", async () => {
    const path = join(logs, "a.log");
    writeFileSync(path, line("a1"));
    const first = begin([logs]);
    await expect.poll(told, SOON).toEqual(["a1"]);
    expect(await first.stop()).toBe(0);
    appendFileSync(path, line("a2"));
    begin([logs]);
    await expect.poll(told, SOON).toEqual(["a1", "a2"]);
    expect(await counted()).toEqual([2, 2]);
  });

  test("sends the very same part again when it was killed before it noted the answer", async () => {
    const path = join(logs, "a.log");
    writeFileSync(path, line("a1"));
    const first = begin([logs], { state: join(folder, "state.json") });
    await expect.poll(() => first.terminal.out(), SOON).toContain("1 record");
    await first.stop();
    const state = JSON.parse(readFileSync(join(folder, "state.json"), "utf8"));
    for (const file of Object.values<Record<string, unknown>>(state.files))
      Object.assign(file, { pending: file.offset, offset: 0, head: null });
    writeFileSync(join(folder, "state.json"), JSON.stringify(state));
    appendFileSync(path, line("a2"));
    const { terminal } = begin([logs], { state: join(folder, "state.json") });
    await expect.poll(told, SOON).toEqual(["a1", "a2"]);
    expect(terminal.out()).toContain("known already");
    expect(await counted()).toEqual([2, 2]);
  });

  test("sends documents whole when they rest, and packed files too, but not the packed past of a followed one", async () => {
    writeFileSync(join(logs, "pods.json"), JSON.stringify({ kind: "PodList", apiVersion: "v1", items: [] }, null, 2));
    writeFileSync(join(logs, "old.log.gz"), gzipSync(line("packed")));
    writeFileSync(join(logs, "a.log"), line("a1"));
    writeFileSync(join(logs, "a.log.2.gz"), gzipSync(line("past")));
    const { terminal } = begin([logs]);
    await expect.poll(told, SOON).toEqual(["a1", "packed"]);
    await expect.poll(() => terminal.out(), SOON).toContain("pods.json");
  });
});

test("a file that the server fails on keeps its place and is tried again, while the others go on", async () => {
  server.failsOn = "a.log";
  writeFileSync(join(logs, "a.log"), line("a1"));
  writeFileSync(join(logs, "b.log"), line("b1"));
  const { terminal, stop } = begin([logs]);
  await expect.poll(told, SOON).toEqual(["b1"]);
  await expect.poll(() => terminal.err().split("a.log: the server failed: It broke.").length, SOON).toBeGreaterThan(2);
  appendFileSync(join(logs, "b.log"), line("b2"));
  await expect.poll(told, SOON).toEqual(["b1", "b2"]);
  server.failsOn = null;
  await expect.poll(told, SOON).toEqual(["a1", "b1", "b2"]);
  expect(await stop()).toBe(0);
  expect(await counted()).toEqual([3, 3]);
});

test("what of a folder is not followed is named once, by reason", async () => {
  writeFileSync(join(logs, "a.log"), line("a1"));
  writeFileSync(join(logs, "a.log.2.gz"), gzipSync(line("past")));
  writeFileSync(join(logs, "b.patch"), "diff");
  const { terminal } = begin([logs]);
  await expect.poll(told, SOON).toEqual(["a1"]);
  writeFileSync(join(logs, "c.patch"), "diff");
  await expect.poll(() => terminal.err(), SOON).toContain("c.patch");
  expect(terminal.err().match(/left out .*/g)).toEqual([
    "left out 1 file: packed past of a log beside it (logs/a.log.2.gz)",
    "left out 1 file: patches and predictions (logs/b.patch)",
    "left out 1 file: patches and predictions (logs/c.patch)",
  ]);
});

test("following a job's folder leaves agents' output alone, and names records so that their run is known", async () => {
  const trial = join(logs, "exp-7", "t1__aaaaaaa");
  mkdirSync(join(trial, "agent"), { recursive: true });
  writeFileSync(join(trial, "agent", "output.log"), line("a1"));
  writeFileSync(join(trial, "result.json"), '{"task_name":"t1","trial_name":"t1__aaaaaaa","verifier_result":null}\n');
  begin([join(logs, "exp-7")]);
  const page = { limit: 9, cursor: null };
  const runs = async () => (await real.store.listRollouts({}, page)).items.map((one) => one.run);
  await expect.poll(runs, { timeout: 10_000 }).toEqual(["exp-7"]);
  expect((await real.store.batches({}, page)).items.map((batch) => batch.name)).toEqual([
    "exp-7/t1__aaaaaaa/result.json",
  ]);
});

describe("a log that is rotated", () => {
  test("by renaming is read to its end under its old name, and the new file from its beginning", async () => {
    const path = join(logs, "a.log");
    writeFileSync(path, line("a1"));
    const { stop } = begin([logs]);
    await expect.poll(told, SOON).toEqual(["a1"]);
    await stop();
    appendFileSync(path, line("a2"));
    renameSync(path, `${path}.1`);
    writeFileSync(path, line("a3"));
    begin([logs]);
    await expect.poll(told, SOON).toEqual(["a1", "a2", "a3"]);
    const names = (await real.store.batches({}, { limit: 9, cursor: null })).items.map((batch) => batch.name);
    expect(new Set(names)).toEqual(new Set(["a.log"]));
    expect(await counted()).toEqual([3, 3]);
  });

  test("is found beside it when only the file itself is named", async () => {
    const path = join(logs, "a.log");
    writeFileSync(path, line("a1"));
    begin([path]);
    await expect.poll(told, SOON).toEqual(["a1"]);
    appendFileSync(path, line("a2"));
    renameSync(path, `${path}.1`);
    writeFileSync(path, line("a3"));
    await expect.poll(told, SOON).toEqual(["a1", "a2", "a3"]);
    expect(await counted()).toEqual([3, 3]);
  });

  test("by copying and cutting is noticed, also when the new content is longer", async () => {
    const path = join(logs, "a.log");
    writeFileSync(path, line("a1"));
    const { terminal, stop } = begin([path]);
    await expect.poll(told, SOON).toEqual(["a1"]);
    copyFileSync(path, join(folder, "copy"));
    truncateSync(path, 0);
    appendFileSync(path, line("a2"));
    await expect.poll(told, SOON).toEqual(["a1", "a2"]);
    await stop();
    truncateSync(path, 0);
    appendFileSync(path, line("a3") + line("a4") + line("a5"));
    begin([path]);
    await expect.poll(told, SOON).toEqual(["a1", "a2", "a3", "a4", "a5"]);
    expect(terminal.err()).toContain("sent from its beginning");
  });
});

describe("a server that is not there", () => {
  test("is said at the beginning", async () => {
    await server.close();
    writeFileSync(join(logs, "a.log"), line("a1"));
    await expect(begin([logs]).stop()).rejects.toThrow();
  });

  test("is waited for later on, and nothing is lost", async () => {
    const path = join(logs, "a.log");
    writeFileSync(path, line("a1"));
    const { terminal } = begin([logs]);
    await expect.poll(told, SOON).toEqual(["a1"]);
    await server.close();
    appendFileSync(path, line("a2"));
    await expect.poll(() => terminal.err(), SOON).toContain("Trying again");
    await server.open();
    await expect.poll(told, SOON).toEqual(["a1", "a2"]);
  });
});
