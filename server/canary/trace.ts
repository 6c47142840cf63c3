/** Ties undici's diagnostics to our probes: a probe is known by the request id that it sends. */
import diagnostics from "node:diagnostics_channel";
import { performance } from "node:perf_hooks";
import type { Phases } from "./probe";
import { lifeOf, type SocketLife } from "./socket-watch";

export interface Trace {
  askedAt: number;
  life: SocketLife | null;
  /** bytesRead of the socket when this request was written. */
  bytesBefore: number;
  socket: { bytesRead: number } | null;
  firstUse: boolean;
  idleMs: number | null;
  headersSentAt: number | null;
  bodySentAt: number | null;
  headAt: number | null;
  doneAt: number | null;
}

interface Message {
  request: object & { headers?: unknown };
  socket?: object & { bytesRead: number };
  headers?: string;
}

const waiting = new Map<string, Trace>();
const known = new WeakMap<object, Trace>();

/** Begins to follow the request that will carry this id. */
export function follow(id: string): Trace {
  subscribeOnce();
  const trace: Trace = {
    askedAt: performance.now(),
    life: null,
    bytesBefore: 0,
    socket: null,
    firstUse: false,
    idleMs: null,
    headersSentAt: null,
    bodySentAt: null,
    headAt: null,
    doneAt: null,
  };
  waiting.set(id, trace);
  return trace;
}

export function unfollow(id: string): void {
  waiting.delete(id);
}

const REQUEST_ID = /^x-request-id: (\S+)/im;
let subscribed = false;

function subscribeOnce(): void {
  if (subscribed) return;
  subscribed = true;
  on("undici:client:sendHeaders", (message) => {
    const trace = waiting.get(REQUEST_ID.exec(message.headers ?? "")?.[1] ?? "");
    if (!trace || !message.socket) return;
    known.set(message.request, trace);
    const now = performance.now();
    const life = lifeOf(message.socket) ?? null;
    trace.headersSentAt = now;
    trace.life = life;
    trace.socket = message.socket;
    trace.bytesBefore = message.socket.bytesRead;
    if (!life) return;
    trace.firstUse = life.requests === 0;
    trace.idleMs = life.lastDoneAt === null ? null : now - life.lastDoneAt;
    life.requests += 1;
  });
  on("undici:request:bodySent", ({ request }) => stamp(request, "bodySentAt"));
  on("undici:request:headers", ({ request }) => stamp(request, "headAt"));
  on("undici:request:trailers", ({ request }) => {
    const trace = known.get(request);
    if (!trace) return;
    trace.doneAt = performance.now();
    if (trace.life) trace.life.lastDoneAt = trace.doneAt;
  });
}

function on(name: string, hear: (message: Message) => void): void {
  diagnostics.subscribe(name, (message) => hear(message as Message));
}

function stamp(request: object, field: "bodySentAt" | "headAt"): void {
  const trace = known.get(request);
  if (trace) trace[field] = performance.now();
}

/** `endAt`: when the probe was over (the terminal event of a stream, else the end of the body), performance.now(). */
export function phasesOf(trace: Trace, endAt: number): Phases {
  const life = trace.firstUse ? trace.life : null;
  // A socket may have been opened for another request before this one asked: then this one only waited.
  const own = life !== null && life.startedAt >= trace.askedAt - 1;
  const written = trace.bodySentAt ?? trace.headersSentAt;
  return {
    queue: between(trace.askedAt, own ? (life?.startedAt ?? null) : trace.headersSentAt),
    resolve: own ? between(life?.startedAt ?? null, life?.resolvedAt ?? null) : null,
    connect: own ? between(life?.resolvedAt ?? life?.startedAt ?? null, life?.connectedAt ?? null) : null,
    tls: own ? between(life?.connectedAt ?? null, life?.securedAt ?? null) : null,
    write: between(trace.headersSentAt, written),
    firstByte: between(written, trace.headAt),
    transfer: trace.headAt === null ? null : between(trace.headAt, endAt),
  };
}

function between(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : Math.max(0, to - from);
}
