import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gateText } from "@/server/cli/gate-report";
import { main } from "@/server/cli/program";
import type { GateAnswer } from "@/server/queries/gate";
import { HOST, type RealServer, realServer } from "../http/real-services";
import { testTerminal } from "./terminal-of-test";

let real: RealServer;
let http: Server;
let folder: string;

/** The product's own answers over a socket. */
beforeAll(async () => {
  real = await realServer();
  await real.call("/demo", { method: "POST" });
  http = createServer(async (message, answer) => {
    const response = await real.call((message.url ?? "").replace("/api/v1", ""), { headers: { host: HOST } });
    answer.writeHead(response.status, Object.fromEntries(response.headers));
    answer.end(Buffer.from(await response.arrayBuffer()));
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  folder = mkdtempSync(join(tmpdir(), "coalmine-gate-"));
}, 120_000);

afterAll(() => {
  http.close();
  rmSync(folder, { recursive: true, force: true });
});

async function coalmine(...args: string[]): Promise<{ exit: number; out: string; err: string }> {
  const terminal = testTerminal({ COALMINE_URL: `http://127.0.0.1:${(http.address() as AddressInfo).port}` });
  const exit = await main(args, terminal);
  return { exit, out: terminal.out(), err: terminal.err() };
}

describe("coalmine compare", () => {
  test("prints the sentence, the metrics with their intervals, and the setting that was changed", async () => {
    const { exit, out } = await coalmine("compare", "swe-2gi", "swe-8gi");
    expect(exit).toBe(0);
    expect(out).toMatch(
      /^Better: rollouts lost to infrastructure fell from 13\.0 % \(41 of 316\) to 6\.6 % \(19 of 288\)/,
    );
    expect(out).toMatch(
      /Rollouts lost to infrastructure +13\.0 % \(41\/316\) +6\.6 % \(19\/288\) +\+6\.4 \(\+1\.6 to \+11\.1\) +0\.0096 +unpaired +better/,
    );
    expect(out).toMatch(/Mean reward, infra excluded +0\.647 +0\.706/);
    expect(out).toMatch(/resources\.memory_mib +2048 +8192/);
    expect(out).toContain("One setting differs: resources.memory_mib.");
  });

  test("decides on all rollouts when asked, and says that a run is not there", async () => {
    const { out } = await coalmine("compare", "swe-2gi", "swe-8gi", "--unpaired", "--json");
    expect(JSON.parse(out).metrics.every((metric: { decidedBy: string }) => metric.decidedBy === "unpaired")).toBe(
      true,
    );
    expect(await coalmine("compare", "swe-2gi", "x")).toMatchObject({
      exit: 1,
      err: 'coalmine: There is no run "x".\n',
    });
    expect((await coalmine("compare", "a", "b", "--paired", "--unpaired")).exit).toBe(2);
  });
});

describe("coalmine gate", () => {
  test("fails a run above the maximum, and writes why for people and for CI", async () => {
    const [markdown, junit] = [join(folder, "gate.md"), join(folder, "gate.xml")];
    const files = ["--markdown", markdown, "--junit", junit];
    const { exit, out } = await coalmine("gate", "--max-infra-rate", "5%", "--run", "swe-2gi", ...files);
    expect(exit).toBe(1);
    expect(out).toMatch(
      /^FAIL {2}2Gi requests = limits: 41 of 316 finished rollouts were lost to infrastructure \(13\.0 %, 9\.7 % to 17\.1 %\), above/,
    );
    expect(readFileSync(markdown, "utf8")).toContain("| lost to infrastructure | 41/316 (13.0 %, 9.7–17.1 %) |");
    const xml = readFileSync(junit, "utf8");
    expect(xml).toContain('tests="2" failures="1" errors="0" skipped="0"');
    expect(xml).toMatch(/name="infra rate"><failure message="41 of 316/);
  });

  test("passes one within it", async () => {
    expect((await coalmine("gate", "--max-infra-rate", "0.2", "--run", "swe-2gi")).exit).toBe(0);
  });

  test("is not sure of few rollouts, and strict about it when asked", async () => {
    const args = ["gate", "--max-infra-rate", "5%"];
    const { exit, out } = await coalmine(...args, "--run", "swe-8gi-bounded");
    expect([exit, out.slice(0, 12)]).toEqual([2, "INCONCLUSIVE"]);
    expect((await coalmine(...args, "--strict")).exit).toBe(1);
  });

  test("takes the newest run when none is named, and refuses one that is worse than its baseline", async () => {
    const newest = await coalmine("gate", "--max-infra-rate", "50%", "--json");
    expect(JSON.parse(newest.out).run.id).toBe("swe-8gi-bounded");
    const args = ["gate", "--max-infra-rate", "50%", "--run", "swe-2gi", "--baseline", "swe-8gi"];
    const { exit, out } = await coalmine(...args);
    expect(exit).toBe(1);
    expect(out).toContain("Worse: rollouts lost to infrastructure rose from 6.6 %");
  });

  test("passes over a newer run of which only logs came, and says so", async () => {
    const alone = await realServer();
    const sent = async (run: string, body: string) =>
      alone.call(`/ingest/auto?run=${run}`, { method: "POST", headers: { host: HOST }, body });
    const asked = () => alone.call("/gate?max=5%25", { headers: { host: HOST } });
    const line = (day: string) => `2026-11-${day} 10:00:00,000 ERROR harness: httpx.ConnectTimeout: sandbox s1\n`;
    await sent("logs-first", line("01"));
    expect(await (await asked()).json()).toMatchObject({ code: "not_found", detail: "No run has rollouts yet." });
    const row = { case: "t1", score: 1, sandbox_id: "s9", finished_at: "2026-11-02T10:00:00Z" };
    await sent("rollouts", `${JSON.stringify(row)}\n`);
    expect(await (await asked()).json()).toMatchObject({ run: { id: "rollouts" }, passedOver: null });
    await sent("logs-later", line("03"));
    const answer = (await (await asked()).json()) as GateAnswer;
    expect(answer).toMatchObject({ run: { id: "rollouts" }, passedOver: "logs-later" });
    expect(gateText(answer)).toContain("The newest run with rollouts; logs-later is newer and has none.");
  });

  test("exits 2 on a run that is not there, a maximum that is none, and a file that cannot be written", async () => {
    expect(await coalmine("gate", "--max-infra-rate", "5%", "--run", "x")).toMatchObject({ exit: 2 });
    expect((await coalmine("gate", "--max-infra-rate", "lots")).err).toContain("max: must be a share between 0 and 1");
    expect((await coalmine("gate")).exit).toBe(2);
    const path = join(folder, "no", "such", "gate.md");
    expect((await coalmine("gate", "--max-infra-rate", "5%", "--markdown", path)).err).toMatch(/Cannot write .*ENOENT/);
  });
});

describe("the mask list", () => {
  test("names each lost rollout once, under the keys of who takes it", async () => {
    const lines = async (as: string) =>
      (await (await real.call(`/runs/swe-2gi/mask?as=${as}`)).text())
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    const all = await lines("jsonl");
    expect(all).toHaveLength(41);
    expect(new Set(all.map((one) => one.id)).size).toBe(41);
    expect(all[0]).toMatchObject({ run: "swe-2gi", class: expect.stringMatching(/\./) });
    const { task, index } = all[0];
    expect((await lines("gym"))[0]).toMatchObject({ instance_id: task, _ng_rollout_index: index, mask_sample: true });
    expect((await lines("harbor"))[0]).toMatchObject({ task_name: task, attempt: index, mask: true });
    expect((await lines("verifiers"))[0]).toMatchObject({ task: { key: task }, rollout: index, ok: false });
  });

  test("is a download of JSON lines, and empty for a run that lost nothing", async () => {
    const response = await real.call("/runs/swe-2gi/mask?as=gym");
    expect(response.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="swe-2gi-mask.gym.jsonl"');
    await response.body?.cancel();
    await real.call("/runs/calm", { method: "PUT", headers: { "content-type": "application/json" }, body: "{}" });
    expect(await (await real.call("/runs/calm/mask")).text()).toBe("");
    expect((await real.call("/runs/x/mask")).status).toBe(404);
    expect((await real.call("/runs/swe-2gi/mask?as=csv")).status).toBe(400);
  });
});
