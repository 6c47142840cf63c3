import { afterEach, describe, expect, it } from "vitest";
import type { LiveEvent } from "@/server/domain/live";
import { watchOf } from "@/server/http/live-watch";
import { madeBlock } from "../store/made-blocks";
import { deliver as deliverRows, T0 } from "../store/made-rows";
import { EventReader } from "../support/event-reader";
import { bearer, type RealServer, realServer, TOKENS } from "./real-services";

const readers: EventReader<LiveEvent>[] = [];
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.leave()));
});

async function follow(server: RealServer, query = "", headers: Record<string, string> = {}) {
  const reader = new EventReader<LiveEvent>(await server.call(`/live${query}`, { headers }));
  readers.push(reader);
  return reader;
}

function deliver(server: RealServer, body = "2026-11-27 10:00:00 ERROR harness: sandbox lost\n") {
  return server.call("/ingest/auto?run=exp-1", { method: "POST", body });
}

function deliverLines({ store }: RealServer, id: string, texts: string[]) {
  return deliverRows(store, { id }, { archive: [madeBlock(texts, { at: T0 })] });
}

describe("following what changes", () => {
  it("greets the reader with the version of the data", async () => {
    const server = await realServer();
    const reader = await follow(server);
    expect(await reader.next()).toEqual({ id: await server.store.dataVersion(), type: "hello" });
  });

  it("tells of a delivery by both topics, each time with the version", async () => {
    const server = await realServer();
    const reader = await follow(server, "?topics=runs,deliveries");
    await reader.until("hello");
    expect((await deliver(server)).status).toBe(200);
    const told = [await reader.until("runs"), await reader.until("deliveries")];
    expect(told.every(({ id }) => id > 0)).toBe(true);
  });

  it("tells only what was asked for", async () => {
    const server = await realServer();
    const reader = await follow(server, "?topics=runs");
    await reader.until("hello");
    await deliver(server);
    await reader.until("runs");
    await deliver(server, "2026-11-27 10:00:01 ERROR harness: another\n");
    await reader.until("runs");
    expect(reader.heard.filter(({ type }) => type === "deliveries")).toEqual([]);
  });

  it("is silent about deliveries when only what is derived of them changed", async () => {
    const server = await realServer();
    await deliver(server);
    const reader = await follow(server);
    await reader.until("hello");
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ name: "Named", planned: 3 });
    expect((await server.call("/runs/exp-1", { method: "PUT", headers, body })).status).toBe(200);
    await reader.until("runs");
    await deliver(server, "2026-11-27 10:00:02 ERROR harness: third\n");
    await reader.until("deliveries");
    expect(reader.heard.filter(({ type }) => type === "deliveries")).toHaveLength(1);
  });

  it.each([
    ["since", (version: number) => ({ query: `?since=${version}`, headers: {} })],
    ["Last-Event-ID", (version: number) => ({ query: "?since=1", headers: { "last-event-id": String(version) } })],
  ])("tells a reader who comes back with %s of what they missed, at once", async (_name, said) => {
    const server = await realServer();
    const before = await server.store.dataVersion();
    await deliver(server);
    const { query, headers } = said(before);
    const reader = await follow(server, query, headers);
    expect([await reader.next(), await reader.next()].map(({ type }) => type)).toEqual(["hello", "runs"]);
  });

  it("lets go of a reader who leaves", async () => {
    const server = await realServer();
    const reader = await follow(server);
    await reader.next();
    expect(watchOf(server.store).readers).toBe(1);
    await reader.leave();
    await expect.poll(() => watchOf(server.store).readers).toBe(0);
  });

  it("takes no more readers than it can hold", async () => {
    const server = await realServer();
    watchOf(server.store).readers = 200;
    const refused = await server.call("/live");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
  });

  it("needs a viewer", async () => {
    const server = await realServer({ tokens: TOKENS });
    expect((await server.call("/live", { headers: bearer("ingest") })).status).toBe(403);
    expect((await server.call("/live?topics=weather", { headers: bearer("viewer") })).status).toBe(400);
  });

  it("reads lines along as they come, those that match", async () => {
    const server = await realServer();
    await deliverLines(server, "b1", ["sandbox lost before"]);
    const reader = await follow(server, "?topics=tail&q=lost");
    await reader.until("hello");
    await deliverLines(server, "b2", ["sandbox lost now", "fine"]);
    const { tail } = await reader.until("lines");
    expect(tail?.items.map((item) => item.text)).toEqual(["sandbox lost now"]);
    expect(reader.heard.map(({ type }) => type)).toEqual(["hello", "lines"]);
  });

  it("tells a slow reader how many lines they missed, and holds none for them", async () => {
    const server = await realServer();
    const reader = await follow(server, "?topics=tail&q=lost");
    await reader.until("hello");
    for (const batch of ["b1", "b2", "b3"]) {
      await deliverLines(
        server,
        batch,
        Array.from({ length: 60 }, (_, n) => `lost ${batch} ${n}`),
      );
    }
    let [shown, left] = [0, 0];
    while (shown + left < 180) {
      const { tail } = await reader.until("lines");
      shown += tail?.items.length ?? 0;
      left += (tail?.skipped ?? 0) + (tail?.unread ?? 0);
    }
    expect([shown, left]).toEqual([100, 80]);
  });

  it("refuses to read along what cannot be looked up, and more readers of lines than it can serve", async () => {
    const server = await realServer();
    expect((await server.call("/live?topics=tail&q=ab")).status).toBe(400);
    watchOf(server.store).tails = 12;
    expect((await server.call("/live?topics=tail&q=lost")).status).toBe(429);
    expect((await server.call("/live?topics=runs")).status).toBe(200);
  });
});
