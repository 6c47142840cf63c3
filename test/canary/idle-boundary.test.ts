import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Boundary, boundaryOf, findIdleBoundary } from "@/server/canary/idle-boundary";
import { startRelayProcess } from "../support/relay-process";
import { startUvicorn, type Uvicorn, uvicornCommand } from "../support/uvicorn";
import { targetAt } from "./fleet";
import { runPlan } from "./run-plan";

const request = { operation: "health", method: "GET", path: "/health", deadlineMs: 5_000 } as const;
const at = (port: number, limitS: number) => ({ origin: `http://127.0.0.1:${port}`, request, sockets: 3, limitS });

// uvicorn is a process of its own: when another program takes its processor, its FIN really is late, which no clock of
// ours can tell. So these may be measured again. What our own loop was late for is left out by the product itself.
const TIMED = { retry: 2, timeout: 90_000 };

const PATHS = ["lifecycle", "proxy", "gateway"];

// All at once: together they take as long as the slowest.
describe.skipIf(!uvicornCommand())("a real uvicorn", () => {
  // Started before anything is measured: a Python that starts takes the processor of those that are measured.
  const servers = new Map<number | null, Uvicorn>();
  beforeAll(async () => {
    for (const setting of [null, 2, 30, 60]) servers.set(setting, await startUvicorn(setting));
  });
  afterAll(async () => {
    for (const server of servers.values()) await server.stop();
  });
  const portOf = (setting: number | null) => servers.get(setting)?.port ?? 0;

  test.concurrent.each([
    [5, null],
    [2, 2],
    [30, 30],
  ])(
    "ends idle sockets after %d s: found on every path with 3 sockets each, ± 0.02 s, within two more seconds",
    TIMED,
    async (seconds, setting) => {
      const target = targetAt(`http://127.0.0.1:${portOf(setting)}`);
      const started = performance.now();
      const { result, cycles } = await runPlan(target, "idle-boundary", { paths: PATHS });
      const tookS = (performance.now() - started) / 1000;
      const paths = result.detail.paths as (Boundary & { path: string })[];
      expect(paths.map((one) => [one.path, one.how, one.seenS.length + one.leftOut])).toEqual(
        PATHS.map((path) => [path, "fin", 3]),
      );
      for (const one of paths) {
        expect(Math.abs((one.boundaryS as number) - seconds)).toBeLessThanOrEqual(0.02);
        expect(one.precisionS).toBe(0.02);
      }
      expect(result.detail.adviceS).toBe(seconds * 0.6);
      expect(result.sentence).toContain(`Set the client's keep-alive expiry to ${seconds * 0.6} s or less.`);
      expect(cycles.map((cycle) => [cycle.ok, cycle.left])).toEqual([
        [true, []],
        [true, []],
      ]);
      expect(tookS).toBeLessThan(seconds + 2);
    },
  );

  test.concurrent(
    "behind a balancer that forgets flows in silence after 8 s, bisecting by reuse finds 8 s ± 0.25 and says silent",
    TIMED,
    async () => {
      const relay = await startRelayProcess({ port: portOf(60), dropAfterIdleMs: 8_000 });
      const found = await findIdleBoundary(at(relay.port, 12));
      await relay.close();
      expect(found.how).toBe("silent");
      expect(Math.abs((found.boundaryS as number) - 8)).toBeLessThanOrEqual(0.25);
      expect(found.precisionS).toBeLessThanOrEqual(0.25);
      expect(found.tries.filter((one) => one.gapS < 7.5).every((one) => one.ok)).toBe(true);
      expect(found.adviceS).toBe(4.8);
    },
  );
});

test("a server's own Keep-Alive hint is reported beside what was measured", async () => {
  const server = createServer((_, answer) => answer.end("ok"));
  server.keepAliveTimeout = 1_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const found = await findIdleBoundary(at((server.address() as AddressInfo).port, 5));
  server.close();
  expect(found.advertisedS).toBe(1);
  expect(found.how).toBe("fin");
});

test("nothing listens: unreachable, not a boundary", async () => {
  const found = await findIdleBoundary(at(9, 1));
  expect([found.how, found.boundaryS]).toEqual(["unreachable", null]);
});

const none: Boundary = {
  ...{ boundaryS: null, precisionS: null, adviceS: null, advertisedS: null },
  ...{ how: "none", seenS: [], leftOut: 0, tries: [], probes: [] },
};
const end = (idleS: number, lateMs: number) => ({ idleS, lateMs, reset: false });

test("a socket that our own loop was late for is left out, and says so", () => {
  const found = boundaryOf([end(4.93, 70), end(5.001, 1), end(5.002, 3)], none);
  expect(found).toMatchObject({ boundaryS: 5.001, precisionS: 0.02, seenS: [5.001, 5.002], leftOut: 1 });
});

test("with our own loop late for every socket, the figure is as wide as we were late", () => {
  const found = boundaryOf([end(4.93, 70), end(5.1, 90)], none);
  expect(found).toMatchObject({ boundaryS: 4.93, precisionS: 0.07, leftOut: 0 });
});
