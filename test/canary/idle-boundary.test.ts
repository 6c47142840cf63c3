import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { findIdleBoundary } from "@/server/canary/idle-boundary";
import { startRelay } from "../support/relay";
import { startUvicorn, uvicornCommand } from "../support/uvicorn";

const request = { operation: "health", method: "GET", path: "/health", deadlineMs: 5_000 } as const;
const at = (port: number, limitS: number) => ({ origin: `http://127.0.0.1:${port}`, request, sockets: 3, limitS });

// Tried again where another program of this machine was in the way: these measure to a few milliseconds.
const TIMED = { retry: 3, timeout: 60_000 };

describe.skipIf(!uvicornCommand())("a real uvicorn", () => {
  test.concurrent.each([
    [5, null],
    [2, 2],
  ])("ends idle sockets after %d s, found by its FIN within two more seconds", TIMED, async (seconds, setting) => {
    const uvicorn = await startUvicorn(setting);
    const started = performance.now();
    const found = await findIdleBoundary(at(uvicorn.port, 20));
    const tookS = (performance.now() - started) / 1000;
    await uvicorn.stop();
    expect(found.how).toBe("fin");
    expect(Math.abs((found.boundaryS as number) - seconds)).toBeLessThan(0.02);
    expect(found.seenS).toHaveLength(3);
    expect(found.adviceS).toBe(seconds * 0.6);
    expect(tookS).toBeLessThan(seconds + 2);
  });

  test.concurrent(
    "a balancer that forgets flows in silence is found by reuse, and said to be silent",
    TIMED,
    async () => {
      const uvicorn = await startUvicorn(60);
      const relay = await startRelay({ port: uvicorn.port, dropAfterIdleMs: 3_000 });
      const found = await findIdleBoundary(at(relay.port, 6));
      await relay.close();
      await uvicorn.stop();
      expect(found.how).toBe("silent");
      expect(Math.abs((found.boundaryS as number) - 3)).toBeLessThan(0.25);
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
