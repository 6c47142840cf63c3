import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcp } from "node:net";
import { expect, test } from "vitest";
import { runCycle } from "@/server/canary/cycle";
import { contextOf, targetAt } from "./fleet";

const QUICK = { createDeadlineS: 5, readyDeadlineS: 1 };

async function cycleAgainst(port: number) {
  const context = contextOf(targetAt(`http://127.0.0.1:${port}`, QUICK));
  context.setup.createDeadlineMs = 700;
  context.setup.readyDeadlineMs = 300;
  const before = process.memoryUsage().rss;
  const result = await runCycle(context, { healthCheck: true, gapsMs: [0] });
  await context.done();
  return { result, grownMiB: (process.memoryUsage().rss - before) / (1 << 20) };
}

/** Lists are answered well and empty, so that each case is about the create. */
const answering =
  (handle: RequestListener): RequestListener =>
  (request, answer) =>
    request.method === "GET" ? answer.end('{"items":[]}') : handle(request, answer);

const chunk = Buffer.alloc(1 << 20, "x");

test.concurrent.each<[string, RequestListener, RegExp]>([
  ["never answers", () => undefined, /^TIMEOUT$/],
  ["trickles", (_, answer) => void setInterval(() => answer.write(" "), 50).unref(), /^TIMEOUT$/],
  ["resets", (request) => request.socket.resetAndDestroy(), /ECONNRESET|UND_ERR_SOCKET/],
  [
    "promises more than it sends",
    (request, answer) => {
      answer.writeHead(202, { "content-length": "5000" }).write("{}");
      setTimeout(() => request.socket.destroy(), 50);
    },
    /UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH/,
  ],
  [
    "sends 1 GB",
    (_, answer) => {
      let sent = 0;
      const more = () => {
        while (sent++ < 1024 && answer.write(chunk));
      };
      answer.on("drain", more).on("error", () => undefined);
      more();
    },
    /^TOO_LARGE$/,
  ],
])("a target that %s is a failed create with a code, and harms nothing", async (_, handle, code) => {
  const server = createServer(answering(handle));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { result, grownMiB } = await cycleAgainst((server.address() as AddressInfo).port);
  server.closeAllConnections();
  server.close();
  expect(result.steps[0]?.problem?.code).toMatch(code);
  expect(result).toMatchObject({ ok: false, left: [] });
  expect(grownMiB).toBeLessThan(150);
});

test("a target that does not speak HTTP is a failed create with a code", async () => {
  const server = createTcp((socket) => socket.on("error", () => undefined).end("SSH-2.0-OpenSSH\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { result } = await cycleAgainst((server.address() as AddressInfo).port);
  server.close();
  expect(result.steps[0]?.problem?.code).toMatch(/^HPE_|HTTPParserError|UND_ERR/);
});
