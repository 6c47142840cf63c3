import { describe, expect, test } from "vitest";
import { retryAfter } from "@/server/cli/api";
import { holdsRollouts } from "@/server/cli/inputs";
import { bytesText, durationText, rateText } from "@/server/cli/numbers";
import { main } from "@/server/cli/program";
import { Speed } from "@/server/cli/progress";
import { runOf } from "@/server/ingest/bundles/job-of";
import { answeringServer } from "./answering-server";
import { testTerminal } from "./terminal-of-test";

describe("numbers in words", () => {
  test("a rate shows its size and its uncertainty, no data shows a dash", () => {
    expect(rateText({ k: 41, n: 316, value: 0.129747, low: 0.0971, high: 0.171287 })).toBe(
      "41/316 (13.0 %, 9.7–17.1 %)",
    );
    expect(rateText(null)).toBe("–");
  });

  test("bytes and durations keep to three figures", () => {
    expect([0, 999, 1000, 454e6].map(bytesText)).toEqual(["0 B", "999 B", "1.0 kB", "454.0 MB"]);
    expect([3, 125, 4020].map(durationText)).toEqual(["3 s", "2 min 05 s", "1 h 07 min"]);
  });

  test("speed is that of the last five seconds", () => {
    const speed = new Speed();
    speed.add(0, 0);
    expect(speed.perSecond()).toBeNull();
    speed.add(1_000, 1_000);
    expect(speed.perSecond()).toBe(1_000);
    speed.add(1_000, 20_000);
    expect(speed.perSecond()).toBeNull();
  });
});

describe("what a file is", () => {
  test.each([
    ['{"_ng_task_index":1}', true],
    ['{"reward":1,"instance_id":"x"}', true],
    ['{"instance_id":"x","reward":1}', true],
    ['{"level":"info","msg":"reward"}', false],
    ["2026 INFO harness reward=1.0", false],
    ["", false],
  ])("%s is a rollout file: %s", (head, expected) => {
    expect(holdsRollouts(head)).toBe(expected);
  });

  test.each([
    ["exp-7.jsonl", "exp-7"],
    ["exp-7_failures.jsonl.gz", "exp-7"],
    ["exp-7_materialized_inputs.jsonl", "exp-7"],
    ["v1.2-run.json", "v1.2-run"],
    ["_failures.jsonl", "_failures.jsonl"],
  ])("%s is of run %s", (name, run) => {
    expect(runOf(name)).toBe(run);
  });
});

describe("Retry-After", () => {
  test("is a number of seconds or a date, at most a minute, two seconds when it says nothing", () => {
    const now = Date.UTC(2026, 0, 1);
    expect(retryAfter("7", now)).toBe(7);
    expect(retryAfter("9999", now)).toBe(60);
    expect(retryAfter("Thu, 01 Jan 2026 00:00:05 GMT", now)).toBe(5);
    expect(retryAfter("soon", now)).toBe(2);
    expect(retryAfter(undefined, now)).toBe(2);
  });
});

describe("coalmine", () => {
  test("reads lists to their last page", async () => {
    const node = { node: "n1", rollouts: 3, infraFailed: null, expected: null, incidents: 0, absorbed: 0 };
    const server = await answeringServer(
      { status: 200, body: { items: [node], next: "c1" } },
      { status: 200, body: { items: [{ ...node, node: "n2" }], next: null } },
    );
    const terminal = testTerminal({ COALMINE_URL: server.url });
    expect(await main(["nodes", "--run", "r"], terminal)).toBe(0);
    expect(server.seen.map((one) => one.url.search)).toEqual(["?run=r&limit=500", "?run=r&limit=500&cursor=c1"]);
    expect(terminal.out()).toMatch(/n1.*\nn2/);
    await server.close();
  });

  test("says what it did with the demo fleet", async () => {
    const server = await answeringServer({ status: 200, body: {} });
    const terminal = testTerminal({ COALMINE_URL: server.url });
    expect(await main(["demo", "load"], terminal)).toBe(0);
    expect(await main(["demo", "remove"], terminal)).toBe(0);
    expect(server.seen.map((one) => `${one.method} ${one.url.pathname}`)).toEqual([
      "POST /api/v1/demo",
      "DELETE /api/v1/demo",
    ]);
    await server.close();
  });

  test("exits 1 when the run is not there, 2 on a wrong address or an answer that is no JSON", async () => {
    const server = await answeringServer({ status: 404, body: { code: "not_found", detail: "no run is called x" } });
    const terminal = testTerminal({ COALMINE_URL: server.url });
    expect(await main(["run", "x"], terminal)).toBe(1);
    expect(terminal.err()).toBe("coalmine: no run is called x\n");
    expect(await main(["runs"], testTerminal({ COALMINE_URL: "localhost:1" }))).toBe(2);
    await server.close();
  });

  test("shows its help and exits 0", async () => {
    const terminal = testTerminal({});
    expect(await main(["--help"], terminal)).toBe(0);
    expect(terminal.out()).toContain("Exit codes: 0 done, 1 some failed, 2 wrong usage or unreachable.");
  });
});
