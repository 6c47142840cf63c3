/** A sink that keeps what a format says, for tests of formats alone. */
import type { DeliveryParams } from "@/server/domain/batch";
import type { Fact, Link, Reject } from "@/server/domain/facts";
import type { Format, FormatContext, Payload, Seen, SeenRollout, Sink, Who } from "@/server/ingest/format";
import { PARAMS } from "./deliveries";

export class RecordingSink implements Sink {
  readonly seen: Seen[] = [];
  readonly links: Link[] = [];
  readonly facts: Fact[] = [];
  readonly rollouts: SeenRollout[] = [];
  readonly plans: { task: string; index: number; run?: string | null }[] = [];
  readonly routines: Payload[] = [];
  readonly rejects: Pick<Reject, "line" | "code" | "message">[] = [];

  observe(_payload: Payload, seen: Seen): void {
    this.seen.push(seen);
  }
  link(link: Link): void {
    this.links.push(link);
  }
  fact(fact: Fact): void {
    this.facts.push(fact);
  }
  rollout(_payload: Payload, rollout: SeenRollout): void {
    this.rollouts.push(rollout);
  }
  planned(plan: { task: string; index: number; run?: string | null }): void {
    this.plans.push(plan);
  }
  routine(payload: Payload): void {
    this.routines.push(payload);
  }
  reject(line: number, code: Reject["code"], message: string): void {
    this.rejects.push({ line, code, message });
  }
}

export function contextWith(params: Partial<DeliveryParams> = {}): FormatContext {
  return {
    params: { ...PARAMS, ...params },
    receivedAt: Date.UTC(2026, 10, 1),
  };
}

export function payloadOf(text: string, who: Who = {}, line = 1): Payload {
  return { who, at: null, text, line };
}

/** Reads each line of `body` with one format, joining the lines that continue a record, and fails on a line it does not accept. */
export function readLines(format: Format, body: string, who: Who = {}, params: Partial<DeliveryParams> = {}) {
  const sink = new RecordingSink();
  const context = contextWith(params);
  for (const payload of joined(format, body, who)) {
    if (!format.accepts(payload)) throw new Error(`${format.name} does not accept line ${payload.line}`);
    format.read(payload, sink, context);
  }
  return sink;
}

function joined(format: Format, body: string, who: Who): Payload[] {
  const payloads: Payload[] = [];
  body.split(/\r?\n/).forEach((text, i) => {
    const last = payloads.at(-1);
    if (last && format.continues?.(text, last.text)) last.text += `\n${text}`;
    else if (text !== "") payloads.push(payloadOf(text, who, i + 1));
  });
  return payloads;
}

/** Reads a whole body as one document. */
export function readDocument(format: Format, body: string, params: Partial<DeliveryParams> = {}, name?: string) {
  const sink = new RecordingSink();
  const payload = payloadOf(body);
  if (!format.accepts(payload)) throw new Error(`${format.name} does not accept the document`);
  format.read(payload, sink, { ...contextWith(params), name: name ?? null });
  return sink;
}
