import { describe, expect, it } from "vitest";
import { BUILT_IN } from "@/server/classify/classifier";
import { RULES_VERSION } from "@/server/classify/classify";
import type { ReclassifyAnswer } from "@/server/domain/reclassify";
import { Reclassifier } from "@/server/reclassify/reclassifier";
import { bearer, type RealServer, realServer, TOKENS } from "./real-services";

const LOG = "2026-08-18 04:00:01,000 ERROR harness.run httpx.ConnectTimeout: sandbox s1 could not be reached\n";

async function withOlderRules(): Promise<RealServer> {
  const server = await realServer();
  await server.call("/ingest/auto", { method: "POST", body: LOG });
  const older = new Reclassifier(server.store, {
    version: "0-older",
    classify: (evidence, from) => ({ ...BUILT_IN.classify(evidence, from), class: "unknown" }),
  });
  await older.start("run");
  await older.idle();
  return server;
}

function post(server: RealServer, body: unknown): Promise<ReclassifyAnswer> {
  const headers = { "content-type": "application/json" };
  return server.json("/reclassify", { method: "POST", headers, body: JSON.stringify(body) });
}

describe("reclassifying over the API", () => {
  it("says what is stale, previews it, and runs it", async () => {
    const server = await withOlderRules();
    expect(await server.json("/reclassify")).toMatchObject({ state: "idle", stale: 1, rulesVersion: RULES_VERSION });
    const { preview } = await post(server, {});
    expect(preview).toMatchObject({
      changed: 1,
      evidence: [{ before: "unknown", after: "transport.connect_timeout" }],
    });
    expect(await server.json("/failures?by=class")).toMatchObject({ items: [{ key: { class: "unknown" } }] });
    expect(await post(server, { preview: false })).toMatchObject({ state: "idle", stale: 0, last: { changed: 1 } });
    expect(await server.json("/failures?by=class")).toMatchObject({
      items: [{ key: { class: "transport.connect_timeout" } }],
    });
  });

  it("is for operators, and a viewer sees its state", async () => {
    const server = await realServer({ tokens: TOKENS });
    const init = { method: "POST", body: "{}", headers: { ...bearer("viewer"), "content-type": "application/json" } };
    expect((await server.call("/reclassify", init)).status).toBe(403);
    expect((await server.call("/reclassify", { headers: bearer("viewer") })).status).toBe(200);
  });

  it("takes nothing else in its body", async () => {
    expect(await post(await realServer(), { preview: false, force: true })).toMatchObject({ code: "invalid" });
  });
});
