import { describe, expect, it } from "vitest";
import type { Problem } from "@/server/domain/answers";
import { CoalmineError } from "@/server/domain/errors";
import type { Intake } from "@/server/domain/intake";
import { IntakeGate } from "@/server/http/intake-gate";
import { metricsText } from "@/server/http/metrics";
import { SourceQuota } from "@/server/http/source-quota";
import { type RealServer, realServer } from "./real-services";

const LINE = "2026-08-18 04:00:01,000 ERROR harness.run httpx.ConnectTimeout: sandbox s1 could not be reached\n";

/** One line uses up two minutes of it. */
const PER_MINUTE = Math.floor(LINE.length / 2);

async function guarded(bytesPerMinute: number | null): Promise<RealServer> {
  const server = await realServer();
  const gate = new IntakeGate(
    server.services.ingest,
    { deliveries: 3, maxDeliveries: 32 },
    new SourceQuota(bytesPerMinute),
  );
  server.services.ingest = (delivery) => gate.ingest(delivery);
  server.services.intake = () => gate.state(null);
  return server;
}

const send = (server: RealServer, source: string) =>
  server.call(`/ingest/auto?source=${source}`, { method: "POST", body: LINE });

describe("a source over its rate", () => {
  it("is told when to come again, others are not held up, and what it had sent is kept", async () => {
    const server = await guarded(PER_MINUTE);
    expect((await send(server, "loud")).status).toBe(200);
    const refused = await send(server, "loud");
    expect([refused.status, ((await refused.json()) as Problem).code]).toEqual([429, "busy"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await send(server, "quiet")).status).toBe(200);
    expect(await server.json<Intake>("/intake")).toMatchObject({
      deliveries: { underWay: 3, most: 32, refused: 0 },
      sourceBytesPerMinute: PER_MINUTE,
      slowed: [{ source: "loud", refused: 1 }],
    });
    const { text } = await metricsText(server.store, server.services.intake?.());
    expect(text).toMatch(/coalmine_ingest_refused_total\{reason="source_rate"\} [1-9]/);
    expect(text).toContain('coalmine_ingest_under_way{kind="deliveries"} 3');
  });

  it("does not hold up our own canaries and the demo", async () => {
    const server = await guarded(1);
    const body = async function* () {
      yield Buffer.from(LINE);
    };
    const params = { format: "auto", run: null, source: "s", node: null, cluster: "default", tz: null };
    const delivery = (origin: "demo" | "canary") => ({
      params: { ...params, origin },
      name: null,
      encoding: null,
      body: body(),
      signal: new AbortController().signal,
    });
    await server.services.ingest(delivery("demo"));
    expect((await server.services.ingest(delivery("canary"))).records).toBe(1);
  });
});

it("a full queue is counted and passed on as it is", async () => {
  const server = await realServer();
  const full = () => Promise.reject(new CoalmineError("busy", "32 deliveries are under way", { retryAfterS: 5 }));
  const gate = new IntakeGate(full, { deliveries: 32, maxDeliveries: 32 }, new SourceQuota(null));
  server.services.ingest = (delivery) => gate.ingest(delivery);
  const answer = await send(server, "s");
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "5"]);
  expect(gate.state(null).deliveries.refused).toBe(1);
});
