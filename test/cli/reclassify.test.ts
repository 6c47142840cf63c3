import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { main } from "@/server/cli/program";
import { ENVELOPES } from "@/server/ingest/envelopes/list";
import { FORMATS } from "@/server/ingest/formats/list";
import { HOST, type RealServer, realServer } from "../http/real-services";
import { send } from "../support/deliveries";
import { testTerminal } from "./terminal-of-test";

const LOG = "2026-08-18 04:00:01,000 ERROR harness.run httpx.ConnectTimeout: sandbox s1 could not be reached\n";

let real: RealServer;
let http: Server;

beforeAll(async () => {
  real = await realServer();
  const formats = FORMATS.filter((one) => one.name !== "python-log");
  await send(real.store, LOG, { run: "r" }, { formats, envelopes: ENVELOPES });
  http = createServer(async (message, answer) => {
    const { method = "GET", url = "" } = message;
    const body = method === "POST" ? await buffer(message) : undefined;
    const headers = { host: HOST, "content-type": message.headers["content-type"] ?? "application/json" };
    const response = await real.call(url.replace("/api/v1", ""), { method, headers, body });
    answer.writeHead(response.status, Object.fromEntries(response.headers));
    answer.end(Buffer.from(await response.arrayBuffer()));
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
});
afterAll(() => {
  http.close();
});

async function coalmine(...args: string[]): Promise<{ exit: number; out: string; err: string }> {
  const terminal = testTerminal({ COALMINE_URL: `http://127.0.0.1:${(http.address() as AddressInfo).port}` });
  const exit = await main(args, terminal);
  return { exit, out: terminal.out(), err: terminal.err() };
}

describe("coalmine reclassify", () => {
  test("says what would change, changes it when asked, and then has nothing to do", async () => {
    const preview = await coalmine("reclassify");
    expect(preview.exit).toBe(0);
    expect(preview.out).toContain("Read by older formats: 1 delivery (1 line).");
    expect(preview.out).toMatch(/1 line read again; evidence would come: 0, would go: 0, would change: 1\./);
    expect(preview.out).toMatch(/incidents .*transport\.connect_timeout +1/);
    expect((await coalmine("reclassify", "--run")).out).toContain("evidence came: 0, went: 0, changed: 1.");
    expect((await coalmine("reclassify", "--run")).out).toContain("Read by older formats: 0 deliveries (0 lines).");
  });

  test("reads one delivery again when it is named, and says when there is none", async () => {
    const [batch] = (await real.store.batches({}, { limit: 1, cursor: null })).items;
    const again = await coalmine("reclassify", "--batch", batch?.id ?? "", "--json");
    expect(JSON.parse(again.out).preview.reread).toMatchObject({ deliveries: 1, lines: 1, comes: 0, goes: 0 });
    const none = await coalmine("reclassify", "--batch", "nowhere");
    expect([none.exit, none.err]).toEqual([1, expect.stringContaining("There is no delivery nowhere.")]);
  });

  test("cancels what is under way, also when nothing is", async () => {
    expect((await coalmine("reclassify", "--cancel")).out).toContain("Nothing is under way any more");
    expect((await coalmine("reclassify", "--cancel", "--run")).exit).toBe(2);
  });
});
