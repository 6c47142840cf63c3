import { expect, test } from "vitest";
import type { GapRow } from "@/server/canary/plans/idle-gap";
import { dangerOf, gapSentence } from "@/server/canary/plans/idle-gap-picture";
import { startRelayProcess } from "../../support/relay-process";
import { startUvicorn, uvicornCommand } from "../../support/uvicorn";
import { targetAt } from "../fleet";
import { runPlan } from "../run-plan";

/** uvicorn's own default, which servers that never set it run with. */
const BOUNDARY_S = 5;

test.skipIf(!uvicornCommand())(
  "behind 100 ms each way a client that keeps sockets too long disconnects near the boundary, a bounded one never",
  // Once more where another program held the server's or the relay's process: their lateness is not ours to see.
  { retry: 1, timeout: 120_000 },
  async () => {
    const uvicorn = await startUvicorn(null);
    const relay = await startRelayProcess({ port: uvicorn.port, delayMs: 100 });
    const target = targetAt(`http://127.0.0.1:${relay.port}`, { bounds: { maxConcurrent: 600 } });
    const near = [-0.25, -0.15, -0.1, -0.05].map((d) => BOUNDARY_S + d);
    const kept = { profiles: ["unbounded"], transport: { profile: "unbounded" } };
    const unbounded = await runPlan(target, "idle-gap", { ...kept, gapsS: near, repeats: 10 });
    const bounded = await runPlan(target, "idle-gap", {
      profiles: ["bounded"],
      gapsS: [0.5, 1, 2, ...near],
      repeats: 90,
    });
    await relay.close();
    await uvicorn.stop();
    const rows = (unbounded.result.detail as { rows: GapRow[] }).rows;
    for (const row of rows) {
      expect(row.reused).toBeGreaterThan(7);
      if (row.gapS < BOUNDARY_S - 0.2) expect(row.failed).toBe(0);
      else {
        expect(row.failed / row.reused).toBeGreaterThan(0.8);
        expect(row.rate).toMatchObject({ k: row.failed, n: row.reused, high: expect.any(Number) });
        expect(row.rate?.low).toBeGreaterThan(0.4);
        expect(Object.keys(row.classes)).toEqual(["transport.stale_keepalive"]);
      }
    }
    expect(unbounded.result.detail.danger).toMatchObject({
      fromS: 4.85,
      toS: 4.95,
      aboveS: 4.75,
      profiles: ["unbounded"],
    });
    expect(unbounded.result.sentence).toMatch(
      /^Kept sockets failed after 4.85–4.95 s of idleness. unbounded: (\d+) of \1 reuses failed there \(100.0 %, interval \d+/,
    );
    const boundedRows = (bounded.result.detail as { rows: GapRow[] }).rows;
    expect(boundedRows.reduce((sum, row) => sum + row.reused, 0)).toBeGreaterThanOrEqual(200);
    expect(bounded.result).toMatchObject({ ok: true, trials: { failed: 0 } });
    expect(bounded.result.sentence).toMatch(/^No kept socket failed/);
  },
);

test("the danger window spans the gaps that failed, and names the longest that went well below", () => {
  const row = (profile: string, gapS: number, failed: number, reused = 10) => ({ profile, gapS, failed, reused });
  expect(dangerOf([row("u", 1, 0), row("u", 4, 0), row("u", 5, 3), row("u", 6, 0), row("b", 4.5, 0)])).toEqual({
    fromS: 5,
    toS: 5,
    aboveS: 4,
    profiles: ["u"],
  });
  expect(dangerOf([row("u", 1, 0)])).toBeNull();
});

test("the sentence gives each profile its count and interval, the one in danger first", () => {
  const row = (profile: string, gapS: number, reused: number, failed: number): GapRow => ({
    ...{ profile, gapS, sent: reused, reused, failed, failedFresh: 0, ownFaults: 0 },
    ...{ rate: null, classes: {}, times: [] },
  });
  const rows = [row("bounded", 2, 200, 0), row("unbounded", 2, 40, 0), row("unbounded", 4.9, 40, 40)];
  expect(gapSentence(rows, dangerOf(rows))).toBe(
    "Kept sockets failed after 4.9 s of idleness. unbounded: 40 of 40 reuses failed there (100.0 %, interval 91.2–100.0 %); bounded: 0 of 200 reuses failed (at most 1.9 %).",
  );
});

test("a target that does not answer fails the plan and keeps the reason as evidence", async () => {
  const ran = await runPlan(targetAt("http://127.0.0.1:9"), "idle-gap", { gapsS: [0.1], repeats: 2 });
  expect(ran.result).toMatchObject({ ok: false, trials: { n: 0 } });
  expect(ran.lines.every((line) => line.includes("ECONNREFUSED"))).toBe(true);
});
