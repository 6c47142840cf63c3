/** Prometheus metrics of this process. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { IngestResult } from "@/server/domain/batch";
import type { Intake } from "@/server/domain/intake";
import type { Store } from "@/server/domain/store";

const KEY = Symbol.for("coalmine.metrics");

export interface Metrics {
  registry: Registry;
  calls: Counter<"operation" | "status">;
  seconds: Histogram<"operation">;
  records: Counter<"format" | "kind">;
  bytes: Counter<"format">;
  refused: Counter<"reason">;
  underWay: Gauge<"kind">;
  storeUp: Gauge;
  unsettled: Gauge;
}

/** One registry a process, made once and never cleared: Next.js builds several module graphs. */
export function metrics(): Metrics {
  const held = globalThis as { [KEY]?: Metrics };
  held[KEY] ??= create();
  return held[KEY];
}

function create(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    calls: new Counter({
      name: "coalmine_http_requests_total",
      help: "API calls answered, by operation and HTTP status.",
      labelNames: ["operation", "status"],
      registers,
    }),
    seconds: new Histogram({
      name: "coalmine_http_request_duration_seconds",
      help: "Time to answer an API call.",
      labelNames: ["operation"],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 60, 600],
      registers,
    }),
    records: new Counter({
      name: "coalmine_ingest_records_total",
      help: "Records of accepted deliveries: read, observations, rollouts, routine, duplicates, rejected.",
      labelNames: ["format", "kind"],
      registers,
    }),
    bytes: new Counter({
      name: "coalmine_ingest_bytes_total",
      help: "Decoded bytes of accepted deliveries.",
      labelNames: ["format"],
      registers,
    }),
    refused: new Counter({
      name: "coalmine_ingest_refused_total",
      help: "Deliveries told to come again: too many under way, or their source over its rate.",
      labelNames: ["reason"],
      registers,
    }),
    underWay: new Gauge({
      name: "coalmine_ingest_under_way",
      help: "What is coming in just now: deliveries, unfinished uploads, and the bytes that those take.",
      labelNames: ["kind"],
      registers,
    }),
    storeUp: new Gauge({ name: "coalmine_store_up", help: "1 when the store answers.", registers }),
    unsettled: new Gauge({
      name: "coalmine_unsettled_refs",
      help: "Things whose incidents are still to be derived.",
      registers,
    }),
  };
}

/** The metrics as text, with the state of the store as it is now; a store that does not answer is down, not an error. */
export async function metricsText(
  store: Pick<Store, "unsettledCount">,
  intake?: Intake,
): Promise<{ text: string; type: string }> {
  const { registry, storeUp, unsettled, underWay } = metrics();
  underWay.set({ kind: "deliveries" }, intake?.deliveries.underWay ?? 0);
  underWay.set({ kind: "uploads" }, intake?.uploads?.open ?? 0);
  underWay.set({ kind: "upload_bytes" }, intake?.uploads?.bytes ?? 0);
  const queued = await store.unsettledCount().catch(() => null);
  storeUp.set(queued === null ? 0 : 1);
  if (queued !== null) unsettled.set(queued);
  return { text: await registry.metrics(), type: registry.contentType };
}

/** An accepted delivery; one that was known already changes nothing. */
export function countDelivery(result: IngestResult): void {
  if (result.duplicateBatch) return;
  const { records, bytes } = metrics();
  const { format } = result;
  for (const kind of ["records", "observations", "rollouts", "routine", "duplicates", "rejected"] as const) {
    records.inc({ format, kind }, result[kind]);
  }
  bytes.inc({ format }, result.bytes);
}
