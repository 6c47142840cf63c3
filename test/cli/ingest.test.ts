import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { main } from "@/server/cli/program";
import type { IngestResult } from "@/server/domain/batch";
import { answeringServer, type Reply } from "./answering-server";
import { testTerminal } from "./terminal-of-test";

const RESULT: IngestResult = {
  batchId: "b1",
  duplicateBatch: false,
  format: "gym",
  records: 3,
  observations: 1,
  rollouts: 2,
  routine: 0,
  duplicates: 0,
  rejected: 1,
  rejects: [{ line: 3, code: "invalid_json", message: "the line ends in the middle of an object" }],
  bytes: 120,
};
const ROLLOUTS = '{"_ng_task_index":0,"_ng_rollout_index":0,"reward":1.0}\n';
const LOG = "2026-08-18 04:00:01,000 INFO harness exec ok rc=0\n";

let folder: string;
let closing: (() => Promise<void>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coalmine-cli-"));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  for (const close of closing) await close();
  closing = [];
});

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function run(args: string[], replies: Reply[], piped = "", env: Record<string, string> = {}) {
  const server = await answeringServer(...replies);
  closing.push(server.close);
  const terminal = testTerminal({ COALMINE_URL: server.url, ...env }, piped);
  return { exit: await main(args, terminal), seen: server.seen, out: terminal.out(), err: terminal.err() };
}

const ok: Reply = { status: 200, body: RESULT };

describe("coalmine ingest", () => {
  test("sends a job's folder file by file under names that tell the run, and says by kind what holds no record", async () => {
    const job = join(folder, "exp-7");
    for (const trial of ["t1__aaaaaaa", "t2__bbbbbbb"]) {
      mkdirSync(join(job, trial, "agent"), { recursive: true });
      writeFileSync(
        join(job, trial, "result.json"),
        `{"task_name":"t","trial_name":"${trial}","verifier_result":null}`,
      );
      writeFileSync(join(job, trial, "agent", "output.log"), LOG);
    }
    writeFileSync(join(job, "t1__aaaaaaa", "model.patch"), "diff");
    const { seen, out } = await run(["ingest", job], [ok]);
    expect(seen.map(({ url }) => [url.searchParams.get("name"), url.searchParams.get("run")])).toEqual([
      ["exp-7/t1__aaaaaaa/result.json", null],
      ["exp-7/t2__bbbbbbb/result.json", null],
    ]);
    expect(out).toContain("left out 2 files: output of agents (exp-7/t1__aaaaaaa/agent/output.log, …)");
    expect(out).toContain("left out 1 file: patches and predictions (exp-7/t1__aaaaaaa/model.patch)");
    const alone = await run(["ingest", join(job, "t1__aaaaaaa")], [ok]);
    expect(alone.seen[0]?.url.searchParams.get("name")).toBe("exp-7/t1__aaaaaaa/result.json");
  });

  test("says what an archive held that was not read", async () => {
    const leftOut = [{ why: "binary files", files: 2, examples: ["a/core"] }];
    const { out } = await run(["ingest", file("exp-7.zip", "PK")], [{ status: 200, body: { ...RESULT, leftOut } }]);
    expect(out).toContain("  left out 2 files: binary files (a/core, …)");
  });

  test("sends a rollout file under its own name as the run, and says what was read and what was not", async () => {
    const { exit, seen, out } = await run(["ingest", file("exp-7_failures.jsonl", ROLLOUTS)], [ok]);
    expect(exit).toBe(0);
    expect(seen[0]?.url.pathname).toBe("/api/v1/ingest/auto");
    expect(seen[0]?.url.searchParams.get("run")).toBe("exp-7");
    expect(seen[0]?.body.toString()).toBe(ROLLOUTS);
    expect(out).toContain("→ run exp-7: 3 records, 1 observation, 2 rollouts, 1 reject (gym, 120 B)");
    expect(out).toContain("line 3: invalid_json: the line ends in the middle of an object");
  });

  test("takes no run from the name of a log, and the given run for everything", async () => {
    const log = file("harness.log", LOG);
    expect((await run(["ingest", log], [ok])).seen[0]?.url.searchParams.has("run")).toBe(false);
    const args = ["ingest", log, "--run", "r1", "--source", "s", "--node", "n", "--cluster", "c", "--tz", "UTC"];
    const query = (await run([...args, "--format", "python-log"], [ok])).seen[0]?.url;
    expect(query?.pathname).toBe("/api/v1/ingest/python-log");
    expect(Object.fromEntries(query?.searchParams ?? [])).toEqual({
      run: "r1",
      source: "s",
      node: "n",
      cluster: "c",
      tz: "UTC",
      name: "harness.log",
    });
  });

  test("walks folders in order of names and leaves hidden files out", async () => {
    mkdirSync(join(folder, "b"));
    file("b/2.log", LOG);
    file("a.log", LOG);
    file(".hidden", LOG);
    const { seen, out } = await run(["ingest", folder], [ok]);
    const inside = (name: string) => `${basename(folder)}/${name}`;
    expect(seen.map((one) => one.url.searchParams.get("name"))).toEqual([inside("a.log"), inside("b/2.log")]);
    expect(out).toContain("2 files, 6 records");
    expect(out).toContain(`left out 1 file: left by systems and editors (${inside(".hidden")})`);
  });

  test("follows links to files, and says of each other entry of a folder why it is not sent", async () => {
    const apart = mkdtempSync(join(tmpdir(), "coalmine-apart-"));
    writeFileSync(join(apart, "pod.log"), LOG);
    mkdirSync(join(folder, "logs"));
    symlinkSync(join(apart, "pod.log"), join(folder, "logs", "linked.log"));
    symlinkSync(apart, join(folder, "logs", "apart"));
    symlinkSync(file("logs/own.log", LOG), join(folder, "logs", "latest.log"));
    symlinkSync(join(apart, "gone"), join(folder, "logs", "gone.log"));
    const { seen, out } = await run(["ingest", join(folder, "logs")], [ok]);
    const sent = ["logs/linked.log", "logs/own.log"];
    expect(seen.map((one) => one.url.searchParams.get("name"))).toEqual(sent);
    expect(out).toContain("left out 1 file: links to folders (logs/apart)");
    expect(out).toContain("left out 1 file: links within the same folder (logs/latest.log)");
    expect(out).toContain("left out 1 file: cannot be read (ENOENT) (logs/gone.log)");
    rmSync(apart, { recursive: true });
  });

  test("sends a gzip file as it is, and still sees that rollouts are in it", async () => {
    const packed = gzipSync(ROLLOUTS.repeat(5_000));
    const { seen } = await run(["ingest", file("exp.jsonl.gz", packed)], [ok]);
    expect(seen[0]?.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(seen[0]?.body ?? Buffer.alloc(0)).length).toBe(ROLLOUTS.length * 5_000);
    expect(seen[0]?.url.searchParams.get("run")).toBe("exp");
  });

  test("sends standard input and removes what it kept of it", async () => {
    const { exit, seen, out } = await run(["ingest", "-"], [ok], LOG);
    expect(exit).toBe(0);
    expect(out).toMatch(/^standard input: /);
    expect(seen[0]?.body.toString()).toBe(LOG);
  });

  test("waits as long as the server asks when it is busy, then sends the whole body again", async () => {
    const busy: Reply = { status: 429, headers: { "retry-after": "0" }, body: { code: "busy" } };
    const { exit, seen, err } = await run(["ingest", file("a.log", LOG)], [busy, { ...busy, status: 503 }, ok]);
    expect(exit).toBe(0);
    expect(seen.map((one) => one.body.toString())).toEqual([LOG, LOG, LOG]);
    expect(err).toContain("the server answered 429; trying again in 0 s");
  });

  test("sends again when the connection is lost, since the server knows a delivery by its bytes", async () => {
    const { exit, seen } = await run(["ingest", file("a.log", LOG)], [{ status: 0, cut: true }, ok]);
    expect(exit).toBe(0);
    expect(seen).toHaveLength(2);
  });

  test("goes on after a refused file and exits 1", async () => {
    const refused: Reply = { status: 400, body: { code: "invalid", detail: "no format is called x" } };
    const { exit, out } = await run(["ingest", file("a.log", LOG), file("b.log", LOG)], [refused, ok]);
    expect(exit).toBe(1);
    expect(out).toContain("a.log: refused (invalid): no format is called x");
    expect(out).toContain("1 file failed");
  });

  test("exits 1 when nothing of a file could be read", async () => {
    const nothing = { ...RESULT, observations: 0, rollouts: 0, rejected: 3 };
    expect((await run(["ingest", file("a.log", LOG)], [{ status: 200, body: nothing }])).exit).toBe(1);
  });

  test("prints one JSON document when asked to", async () => {
    const { out } = await run(["ingest", "--json", file("a.log", LOG)], [ok]);
    expect(JSON.parse(out).files[0]).toMatchObject({ ok: true, run: null, result: { batchId: "b1" } });
  });

  test("exits 2 on wrong usage, on a missing file, without a server, and without a valid token", async () => {
    expect((await run(["ingest"], [ok])).exit).toBe(2);
    expect((await run(["ingest", join(folder, "none")], [ok])).err).toContain("ENOENT");
    const dead = testTerminal({ COALMINE_URL: "http://127.0.0.1:9" });
    expect(await main(["ingest", file("a.log", LOG)], dead)).toBe(2);
    expect(dead.err()).toContain("Set COALMINE_URL");
    const refused: Reply = { status: 401, body: { code: "unauthorized", detail: "a token is needed" } };
    const { exit, err, seen } = await run(["ingest", folder], [refused], "", { COALMINE_TOKEN: "t" });
    expect([exit, err.trim()]).toEqual([2, "coalmine: a token is needed"]);
    expect(seen[0]?.headers.authorization).toBe("Bearer t");
  });
});
