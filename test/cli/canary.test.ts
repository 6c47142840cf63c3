import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCanaries } from "@/server/canary/client";
import { exitOf, optionsOf } from "@/server/cli/canary";
import { main } from "@/server/cli/program";
import { type RealServer, realServer } from "../http/real-services";
import { bundle } from "../support/bundle";
import { type StandIn, startStandIn } from "../support/stand-in/server";
import { testTerminal } from "./terminal-of-test";

let folder = "";
let standIn: StandIn;
let server: RealServer;
let url = "";
const http = createServer(async (request, answer) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const path = (request.url ?? "").replace("/api/v1", "");
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
  const type = { "content-type": request.headers["content-type"] ?? "application/json" };
  const response = await server.call(path, { method: request.method ?? "GET", headers: type, ...body });
  answer
    .writeHead(response.status, Object.fromEntries(response.headers))
    .end(Buffer.from(await response.arrayBuffer()));
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "coalmine-cli-"));
  standIn = await startStandIn();
  const configPath = join(folder, "config.yaml");
  await writeFile(configPath, `targets: [{name: here, baseUrl: '${standIn.url}'}]`);
  server = await realServer();
  const script = await bundle("server/canary/worker.ts");
  server.services.canaries = await startCanaries({
    script,
    dataDir: folder,
    configPath,
    deliver: async () => undefined,
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(async () => {
  http.closeAllConnections();
  http.close();
  await server.services.canaries?.stop();
  await standIn.close();
  await rm(folder, { recursive: true, force: true });
});

async function coalmine(...args: string[]) {
  const terminal = testTerminal({ COALMINE_URL: url });
  const exit = await main(args, terminal);
  return { exit, out: terminal.out(), err: terminal.err() };
}

test("a plan that passes ends with its sentence and exit code 0", async () => {
  const { exit, out } = await coalmine("canary", "smoke", "--target", "here", "--set", "commands=2");
  expect(out).toMatch(/^passed: A sandbox came up, ran 2 commands/);
  expect(exit).toBe(0);
});

test("a plan that fails says at which step and why, with exit code 1", async () => {
  standIn.faults.cutStreams = true;
  const { exit, out, err } = await coalmine("canary", "smoke", "--target", "here");
  standIn.faults.cutStreams = false;
  expect(err).toMatch(/failed at exec on node-1: transport.stream_truncated/);
  expect(out).toMatch(/^failed: The cycle failed at exec/);
  expect(exit).toBe(1);
});

test("with --json the run itself is printed", async () => {
  const { out } = await coalmine("canary", "smoke", "--target", "here", "--json");
  expect(JSON.parse(out)).toMatchObject({ plan: "smoke", state: "passed", cycles: [{ ok: true }] });
});

test("with --detach only the id is", async () => {
  const { out, exit } = await coalmine("canary", "smoke", "--target", "here", "--detach");
  expect([exit, out]).toEqual([0, expect.stringMatching(/^c-[a-z0-9-]+\n$/)]);
});

test("what the server refuses is said with its reason", async () => {
  const { exit, err } = await coalmine("canary", "smoke", "--target", "there");
  expect(err).toMatch(/target: "there" is none of the configured ones: here/);
  expect(exit).toBeGreaterThan(0);
});

test("options are read as JSON where they are, else as text", () => {
  expect(optionsOf({ set: ["cycles=8", "path=sandbox", "gapsS=[1,2]"], options: '{"rampS":1}' })).toEqual({
    rampS: 1,
    cycles: 8,
    path: "sandbox",
    gapsS: [1, 2],
  });
  expect(() => optionsOf({ set: ["cycles"] })).toThrow(/name=value/);
  expect(() => optionsOf({ options: "[1]" })).toThrow(/JSON object/);
});

test("only a passed run is exit 0, only a failed one exit 1", () => {
  expect((["passed", "failed", "cancelled", "interrupted", "error"] as const).map(exitOf)).toEqual([0, 1, 2, 2, 2]);
});
