import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { runCycle } from "@/server/canary/cycle";
import { readEndpoint } from "@/server/canary/endpoint";
import { OpenSandbox } from "@/server/canary/opensandbox";
import { PROFILES } from "@/server/canary/profile";
import { startStandIn } from "../support/stand-in/server";
import { contextOf, KEY, targetAt } from "./fleet";

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Any HTTP server that a target may turn out to be. */
async function serverThat(handle: Parameters<typeof createServer>[1]) {
  const heard: { url: string; key: string | undefined }[] = [];
  const server = createServer((request, answer) => {
    heard.push({ url: request.url ?? "", key: request.headers["open-sandbox-api-key"] as string | undefined });
    handle?.(request, answer as never);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

async function clientOf(url: string) {
  const client = new OpenSandbox(targetAt(url), KEY, PROFILES.bounded);
  closing.push(() => client.close());
  return client;
}

const SPEC = { image: "x", limits: {}, requests: {}, timeoutS: 60, metadata: {}, deadlineMs: 2_000 };

test("a redirect is an answer, never followed: the key stays at home", async () => {
  const elsewhere = await serverThat((_, answer) => answer.end("{}"));
  const standIn = await startStandIn({ apiKey: KEY, faults: { redirectTo: `${elsewhere.url}/v1/sandboxes` } });
  closing.push(() => standIn.close());
  const context = contextOf(targetAt(standIn.url, { readyDeadlineS: 1, createDeadlineS: 5 }));
  const result = await runCycle(context, { healthCheck: true, gapsMs: [0] });
  await context.done();
  expect(result.ok).toBe(false);
  expect(elsewhere.heard).toEqual([]);
});

test("an endpoint on another origin is reached without the key", async () => {
  const elsewhere = await serverThat((_, answer) => answer.end());
  const host = new URL(elsewhere.url).host;
  const home = await serverThat((_, answer) =>
    answer.end(JSON.stringify({ endpoint: `${host}/p`, headers: { "X-To": "a" } })),
  );
  const client = await clientOf(home.url);
  const { endpoint } = await client.endpoint("s1");
  if (endpoint === null) throw new Error("no endpoint was read");
  await client.ping(endpoint);
  expect(home.heard).toEqual([{ url: "/v1/sandboxes/s1/endpoints/44772?use_server_proxy=true", key: KEY }]);
  expect(elsewhere.heard).toEqual([{ url: "/p/ping", key: undefined }]);
});

test("a lookup may name no header that frames our request, nor one with a line break", () => {
  const headers = { Host: "evil", "Content-Length": "9", "X-Ok": "1", "x-bad": "a\r\nb: c", "sp ace": "x" };
  expect(readEndpoint("h:1/a/", headers, "http:")).toEqual({
    origin: "http://h:1",
    prefix: "/a",
    headers: { "x-ok": "1" },
  });
  expect(readEndpoint("http://", null, "http:")).toBeNull();
  expect(readEndpoint("a b c", null, "http:")).toBeNull();
});

test.each([
  [
    "a new server's body",
    504,
    { code: "KUBERNETES::POD_READY_TIMEOUT", message: "Timeout waiting" },
    "KUBERNETES::POD_READY_TIMEOUT",
  ],
  ["an old server's plain detail", 500, { code: "GENERAL::UNKNOWN_ERROR", message: "boom" }, "GENERAL::UNKNOWN_ERROR"],
  ["a validation body", 422, { detail: [{ loc: ["body", "timeout"], msg: "too small" }] }, null],
])("%s keeps its code and its words", async (_, status, body, code) => {
  const { url } = await serverThat((__, answer) => answer.writeHead(status).end(JSON.stringify(body)));
  const made = await (await clientOf(url)).create(SPEC);
  expect([made.id, made.problem?.code]).toEqual([null, code]);
  expect(made.problem?.message).toMatch(/Timeout waiting|boom|too small/);
});

test("text, an empty answer, a list and a wrong type are failures in words, never exceptions", async () => {
  for (const body of ["<html>502</html>", "", "[]", '{"id":7}', '{"status":"Running"}']) {
    const { url } = await serverThat((_, answer) => answer.writeHead(202).end(body));
    const client = await clientOf(url);
    expect((await client.create(SPEC)).id).toBeNull();
    expect((await client.state("x")).state).toBeNull();
    expect((await client.endpoint("x")).endpoint).toBeNull();
    expect((await client.inspect("x")).inspected).toBeNull();
    expect(await client.list({})).toBeNull();
  }
});

test("all pages of a list are read", async () => {
  const standIn = await startStandIn({ apiKey: KEY });
  closing.push(() => standIn.close());
  const client = await clientOf(standIn.url);
  for (let i = 0; i < 205; i++) await client.create({ ...SPEC, metadata: { app: "coalmine-canary", n: `v${i}` } });
  expect(await client.list({ app: "coalmine-canary" })).toHaveLength(205);
  expect(await client.list({ app: "coalmine-canary", n: "v7" })).toHaveLength(1);
});

test("a base URL keeps its path, and the health probe stands beside the API", async () => {
  const { url, heard } = await serverThat((_, answer) => answer.end("{}"));
  const client = await clientOf(`${url}/fleet/v1`);
  await client.state("s");
  await client.health();
  expect(heard.map((one) => one.url)).toEqual(["/fleet/v1/sandboxes/s", "/fleet/health"]);
});
