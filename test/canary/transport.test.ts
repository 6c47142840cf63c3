import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { PROFILES, type TransportProfile } from "@/server/canary/profile";
import { Transport } from "@/server/canary/transport";
import { startRelay } from "../support/relay";
import { startUvicorn, uvicornCommand } from "../support/uvicorn";

const GET = { operation: "health", method: "GET", path: "/health", deadlineMs: 5_000 } as const;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test.skipIf(!uvicornCommand())(
  "a stale socket behind 100 ms of network is met by reuse inside the window only",
  // Again where another program held the server's or the relay's process: 50 ms decide here.
  { retry: 2 },
  async () => {
    const uvicorn = await startUvicorn(2);
    const relay = await startRelay({ port: uvicorn.port, delayMs: 100 });
    const gapsS = [1.75, 1.85, 1.9, 1.95];
    const codes = await Promise.all(
      gapsS.map(async (gapS) => {
        const transport = new Transport(`http://127.0.0.1:${relay.port}`, { ...PROFILES.unbounded, connections: 1 });
        await transport.send(GET);
        await wait(gapS * 1000);
        const { record } = await transport.send(GET);
        await transport.close();
        return [record.code, record.socket.reused, record.bytesRead];
      }),
    );
    await relay.close();
    await uvicorn.stop();
    expect(codes[0]).toEqual([null, true, expect.any(Number)]);
    for (const code of codes.slice(1))
      expect(code).toEqual([expect.stringMatching(/UND_ERR_SOCKET|ECONNRESET|EPIPE/), true, 0]);
  },
);

async function served(handle: (request: IncomingMessage, answer: ServerResponse) => void) {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    transport: (profile: TransportProfile) => new Transport(`http://127.0.0.1:${port}`, profile),
    close: () => server.closeAllConnections() ?? server.close(),
  };
}

test("a fresh socket has connect times and no idle time, a reused one the reverse", async () => {
  const { transport, close } = await served((_, answer) => answer.end("ok"));
  const client = transport({ ...PROFILES.bounded, connections: 1 });
  const first = (await client.send(GET)).record;
  await wait(30);
  const second = (await client.send(GET)).record;
  await client.close();
  close();
  expect([first.socket.reused, first.socket.idleMs, second.socket.reused]).toEqual([false, null, true]);
  expect(first.phases.connect).toBeGreaterThan(0);
  expect(second.phases.connect).toBeNull();
  expect(second.socket.idleMs).toBeGreaterThan(25);
  expect(second.socket.localPort).toBe(first.socket.localPort);
  expect(second.bytesRead).toBeGreaterThan(0);
});

test("the fresh profile never uses a socket twice, the bounded one not after its expiry", async () => {
  const { transport, close } = await served((_, answer) => answer.end("ok"));
  const reuses = async (profile: TransportProfile, gapMs: number) => {
    const client = transport({ ...profile, connections: 1 });
    await client.send(GET);
    await wait(gapMs);
    const { record } = await client.send(GET);
    await client.close();
    return record.socket.reused;
  };
  expect(await reuses(PROFILES.fresh, 0)).toBe(false);
  expect(await reuses({ ...PROFILES.bounded, keepaliveExpiryS: 0.2 }, 400)).toBe(false);
  expect(await reuses({ ...PROFILES.bounded, keepaliveExpiryS: 0.2 }, 50)).toBe(true);
  close();
});

test("a server that never answers, floods or hangs up is a result with a code, and harms nothing", async () => {
  const { transport, close } = await served((request, answer) => {
    if (request.url === "/never") return;
    if (request.url === "/flood") return void Readable.from(flood()).pipe(answer);
    request.socket.resetAndDestroy();
  });
  const client = transport(PROFILES.bounded);
  const codeOf = async (path: string) => (await client.send({ ...GET, path, deadlineMs: 700 })).record.code;
  expect(await codeOf("/never")).toBe("TIMEOUT");
  expect(await codeOf("/flood")).toBe("TOO_LARGE");
  expect(await codeOf("/reset")).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
  await client.close();
  close();
});

function* flood() {
  const chunk = Buffer.alloc(1 << 16);
  for (let i = 0; i < 1 << 14; i++) yield chunk;
}

test("only a connect that failed is tried again, and every retry is recorded", async () => {
  const client = new Transport("http://127.0.0.1:9", PROFILES.bounded);
  const { record } = await client.send(GET);
  await client.close();
  expect([record.code, record.connectRetries]).toEqual(["ECONNREFUSED", 2]);
});

test("a stream is measured to its terminal event, not to its end", async () => {
  const { transport, close } = await served((_, answer) => {
    answer.write('{"type":"execution_complete"}\n\n');
    setTimeout(() => answer.end(), 400);
  });
  const client = transport(PROFILES.bounded);
  const { record } = await client.send({ ...GET, onLine: (line) => line.includes("execution_complete") });
  await client.close();
  close();
  expect(record.totalMs).toBeLessThan(300);
});
