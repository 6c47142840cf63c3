/** The canary's HTTP client over undici: bounded keep-alive, no hidden retries, every step measured. */
import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { type Dispatcher, Pool } from "undici";
import { letGo, watchLoop } from "./loop-delay";
import { type Answer, CANCELLED, OWN_CODES, OWN_FAULT_DELAY_MS, type ProbeRecord, TIMEOUT, TOO_LARGE } from "./probe";
import { LIBRARY_EXPIRY_S, type TransportProfile } from "./profile";
import { type SocketLife, watchingConnector } from "./socket-watch";
import { follow, phasesOf, type Trace, unfollow } from "./trace";

export interface ProbeRequest {
  operation: string;
  method: "GET" | "POST" | "DELETE";
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Milliseconds until the probe is given up. */
  deadlineMs: number;
  signal?: AbortSignal;
  /** Reads the body line by line; answers true at the terminal event, where the measuring ends. */
  onLine?: (line: string) => boolean;
  /** Bytes of body read at most (default 1 MiB); more ends the probe with code `TOO_LARGE`. */
  maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 1 << 20;
/** Failures of connecting: nothing can have reached the server. */
const CONNECT_CODES = new Set([
  "ECONNREFUSED",
  "UND_ERR_CONNECT_TIMEOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
]);

export class Transport {
  readonly sockets: SocketLife[] = [];
  private readonly pool: Pool;
  private readonly loop = watchLoop();
  private closed = false;

  constructor(
    readonly origin: string,
    readonly profile: TransportProfile,
  ) {
    const expiryMs = Math.max(1, (profile.keepaliveExpiryS ?? LIBRARY_EXPIRY_S) * 1000);
    this.pool = new Pool(origin, {
      connect: watchingConnector({ timeout: profile.connectTimeoutMs }, (life) => this.sockets.push(life)),
      connections: profile.connections,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: expiryMs,
      // The server's hint may not lengthen it, and undici's default cap is 600 s.
      keepAliveMaxTimeout: expiryMs,
      keepAliveTimeoutThreshold: 0,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Sends one request and measures it. Never throws: what went wrong is in the record. */
  async send(request: ProbeRequest): Promise<Answer> {
    for (let retries = 0; ; retries++) {
      const answer = await this.once(request, retries);
      const code = answer.record.code;
      const again = code !== null && CONNECT_CODES.has(code) && answer.record.socket.localPort === null;
      if (!again || retries >= this.profile.connectRetries || request.signal?.aborted) return answer;
    }
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    letGo(this.loop);
    await this.pool.destroy();
  }

  private async once(request: ProbeRequest, connectRetries: number): Promise<Answer> {
    const id = `coalmine-${randomUUID()}`;
    const startedAt = Date.now();
    const trace = follow(id);
    const reading: Reading = { body: "", headers: {}, status: null, endAt: null };
    let failure: unknown = null;
    try {
      await this.exchange(request, id, reading);
    } catch (error) {
      failure = error;
    }
    unfollow(id);
    const endAt = reading.endAt ?? trace.doneAt ?? performance.now();
    const loopDelayMs = this.loop.since(trace.askedAt);
    const { code, message } = describe(failure);
    const record: ProbeRecord = {
      id,
      operation: request.operation,
      method: request.method,
      path: request.path,
      profile: this.profile.name,
      startedAt,
      totalMs: endAt - trace.askedAt,
      phases: phasesOf(trace, endAt),
      socket: socketOf(trace),
      status: reading.status,
      bytesRead: trace.socket ? trace.socket.bytesRead - trace.bytesBefore : 0,
      code,
      message,
      connectRetries,
      loopDelayMs,
      ownFault: loopDelayMs > OWN_FAULT_DELAY_MS || (code !== null && OWN_CODES.has(code)),
    };
    return { record, body: reading.body, headers: reading.headers };
  }

  private async exchange(request: ProbeRequest, id: string, reading: Reading): Promise<void> {
    const deadline = AbortSignal.timeout(request.deadlineMs);
    const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline;
    const answer = await this.pool.request({
      method: request.method,
      path: request.path,
      headers: {
        ...request.headers,
        "x-request-id": id,
        ...(request.json === undefined ? {} : { "content-type": "application/json" }),
      },
      body: request.json === undefined ? null : JSON.stringify(request.json),
      reset: this.profile.keepaliveExpiryS === 0,
      signal,
    });
    reading.status = answer.statusCode;
    reading.headers = flat(answer.headers);
    await readBody(answer.body, request, reading);
  }
}

interface Reading {
  body: string;
  headers: Record<string, string>;
  status: number | null;
  /** Terminal event of a stream, performance.now(). */
  endAt: number | null;
}

/** Reads to the end, so that the socket can be used again; a terminal event stops the clock, not the reading. */
async function readBody(body: Dispatcher.ResponseData["body"], request: ProbeRequest, reading: Reading): Promise<void> {
  const limit = request.maxBytes ?? DEFAULT_MAX_BYTES;
  const decoder = new TextDecoder();
  let bytes = 0;
  let rest = "";
  for await (const chunk of body) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > limit) throw Object.assign(new Error(`answer above ${limit} bytes`), { code: TOO_LARGE });
    const text = decoder.decode(chunk as Uint8Array, { stream: true });
    reading.body += text;
    if (!request.onLine) continue;
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (request.onLine(line)) reading.endAt ??= performance.now();
  }
  if (request.onLine && rest !== "" && request.onLine(rest)) reading.endAt ??= performance.now();
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}

function socketOf(trace: Trace): ProbeRecord["socket"] {
  if (trace.headersSentAt === null || !trace.life) return { localPort: null, reused: null, idleMs: null };
  return { localPort: trace.life.localPort, reused: !trace.firstUse, idleMs: trace.firstUse ? null : trace.idleMs };
}

/** The stable code of whatever undici threw; matched on codes and names, never on messages. */
function describe(failure: unknown): { code: string | null; message: string | null } {
  if (failure === null) return { code: null, message: null };
  if (!(failure instanceof Error)) return { code: "UNKNOWN", message: String(failure) };
  if (failure.name === "TimeoutError") return { code: TIMEOUT, message: "the probe's deadline passed" };
  if (failure.name === "AbortError") return { code: CANCELLED, message: "cancelled by us" };
  const code = (failure as NodeJS.ErrnoException).code;
  const cause = failure.cause instanceof Error ? (failure.cause as NodeJS.ErrnoException).code : undefined;
  return { code: code ?? cause ?? failure.name, message: failure.message };
}
