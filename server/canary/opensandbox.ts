/** The few OpenSandbox calls a canary needs, each measured as a probe. Accepts old and new servers' answers. */
import { type Listed, listedIn, mayExist, retryAfterOf, stateOf } from "./answers";
import { type Endpoint, readEndpoint } from "./endpoint";
import { type ExecOutcome, ExecStream } from "./exec-stream";
import { type Inspected, parseInspect } from "./inspect-text";
import type { Answer, ProbeRecord } from "./probe";
import type { ProbeProblem } from "./probe-evidence";
import { asRecord, isRecord, problemOf } from "./problem";
import type { TransportProfile } from "./profile";
import type { Target } from "./target";
import { type ProbeRequest, Transport } from "./transport";

export const EXECD_PORT = 44772;
const SHORT_DEADLINE_MS = 15_000;

export interface CreateSpec {
  image: string;
  limits: Record<string, string>;
  requests: Record<string, string>;
  timeoutS: number;
  metadata: Record<string, string>;
  deadlineMs: number;
}

export interface Created {
  record: ProbeRecord;
  id: string | null;
  /** The error body's code and message, old or new form. */
  problem: ProbeProblem | null;
  retryAfterS: number | null;
  /** No id came back, yet a sandbox may have been made. */
  mayExist: boolean;
}

export class OpenSandbox {
  readonly base: URL;
  private readonly transports = new Map<string, Transport>();

  constructor(
    private readonly target: Target,
    private readonly apiKey: string | null,
    private readonly profile: TransportProfile,
  ) {
    const base = new URL(target.baseUrl);
    // SDKs always use /v1; a configured path (a gateway's prefix) is kept as it is.
    base.pathname = base.pathname === "/" ? "/v1" : base.pathname.replace(/\/$/, "");
    this.base = base;
  }

  async create(spec: CreateSpec, signal?: AbortSignal): Promise<Created> {
    const body = {
      image: { uri: spec.image },
      entrypoint: this.target.entrypoint,
      timeout: spec.timeoutS,
      resourceLimits: spec.limits,
      resourceRequests: spec.requests,
      metadata: spec.metadata,
      ...(Object.keys(this.target.extensions).length > 0 ? { extensions: this.target.extensions } : {}),
    };
    const answer = await this.call("create", "POST", "/sandboxes", { json: body, deadlineMs: spec.deadlineMs, signal });
    const json = asRecord(answer.body);
    const ok = answer.record.code === null && answer.record.status !== null && answer.record.status < 300;
    return {
      record: answer.record,
      id: ok && typeof json?.id === "string" ? json.id : null,
      problem: ok ? null : problemOf(answer),
      retryAfterS: retryAfterOf(answer),
      mayExist: mayExist(answer.record.code === null ? answer.record.status : null, json),
    };
  }

  /** Beside the API, where `/health` is. */
  get home(): Endpoint {
    return { origin: this.base.origin, prefix: this.base.pathname.replace(/\/v1$/, ""), headers: {} };
  }

  /** One request that any server answers, to see the connection rather than the API. */
  health(signal?: AbortSignal): Promise<Answer> {
    return this.reach(this.home, "health", "GET", "/health", { signal });
  }

  async state(
    id: string,
    signal?: AbortSignal,
  ): Promise<{ answer: Answer; state: string | null; message: string | null }> {
    const answer = await this.call("get", "GET", `/sandboxes/${encodeURIComponent(id)}`, { signal });
    const json = asRecord(answer.body);
    const status = json?.status;
    const message = isRecord(status) && typeof status.message === "string" ? status.message : null;
    return { answer, state: stateOf(json), message };
  }

  /** Where the exec daemon of a sandbox answers, by the target's mode unless said otherwise; null when no usable address came. */
  async endpoint(
    id: string,
    signal?: AbortSignal,
    mode: Target["mode"] = this.target.mode,
  ): Promise<{ answer: Answer; endpoint: Endpoint | null }> {
    const proxied = mode === "server-proxy" ? "?use_server_proxy=true" : "";
    const path = `/sandboxes/${encodeURIComponent(id)}/endpoints/${EXECD_PORT}${proxied}`;
    const answer = await this.call("endpoint", "GET", path, { signal });
    const json = asRecord(answer.body);
    if (typeof json?.endpoint !== "string") return { answer, endpoint: null };
    return { answer, endpoint: readEndpoint(json.endpoint, json.headers, this.base.protocol) };
  }

  ping(endpoint: Endpoint, signal?: AbortSignal): Promise<Answer> {
    return this.reach(endpoint, "ping", "GET", "/ping", { signal, deadlineMs: SHORT_DEADLINE_MS });
  }

  /** Runs a command, measured to its terminal event. */
  async exec(
    endpoint: Endpoint,
    command: string,
    options: { deadlineMs: number; signal?: AbortSignal },
  ): Promise<{ record: ProbeRecord; outcome: ExecOutcome; answer: Answer }> {
    const stream = new ExecStream();
    const answer = await this.reach(endpoint, "exec", "POST", "/command", {
      ...options,
      json: { command, timeout: Math.max(1_000, options.deadlineMs - 1_000) },
      onLine: stream.take,
    });
    return { record: answer.record, outcome: stream.outcome, answer };
  }

  /** null where the server has no such route or the pod is gone. */
  async inspect(id: string, signal?: AbortSignal): Promise<{ answer: Answer; inspected: Inspected | null }> {
    const answer = await this.call("inspect", "GET", `/sandboxes/${encodeURIComponent(id)}/diagnostics/inspect`, {
      signal,
    });
    return { answer, inspected: answer.record.status === 200 ? parseInspect(answer.body) : null };
  }

  /** 204 and 404 are both gone. */
  async remove(id: string): Promise<{ answer: Answer; gone: boolean }> {
    const answer = await this.call("delete", "DELETE", `/sandboxes/${encodeURIComponent(id)}`, { deadlineMs: 30_000 });
    const status = answer.record.status;
    return { answer, gone: status === 204 || status === 200 || status === 404 };
  }

  /** All sandboxes with this metadata; null when the server did not answer. */
  async list(metadata: Record<string, string>): Promise<Listed[] | null> {
    const found = new Map<string, Listed>();
    for (let page = 1; page <= 100; page++) {
      const query = new URLSearchParams({
        metadata: new URLSearchParams(metadata).toString(),
        page: String(page),
        pageSize: "200",
      });
      const answer = await this.call("list", "GET", `/sandboxes?${query}`, { deadlineMs: 30_000 });
      const json = asRecord(answer.body);
      if (answer.record.status !== 200 || !Array.isArray(json?.items)) return null;
      for (const one of listedIn(json.items)) found.set(one.id, one);
      if (!isRecord(json.pagination) || json.pagination.hasNextPage !== true) break;
    }
    return [...found.values()];
  }

  async close(): Promise<void> {
    await Promise.all([...this.transports.values()].map((transport) => transport.close()));
  }

  private call(operation: string, method: ProbeRequest["method"], path: string, options: CallOptions): Promise<Answer> {
    const endpoint = { origin: this.base.origin, prefix: this.base.pathname, headers: {} };
    return this.reach(endpoint, operation, method, path, options);
  }

  private reach(
    endpoint: Endpoint,
    operation: string,
    method: ProbeRequest["method"],
    path: string,
    options: CallOptions,
  ): Promise<Answer> {
    return this.transport(endpoint.origin)
      .send(this.requestTo(endpoint, operation, method, path, options))
      .then((answer) => ({ ...answer, body: this.withoutKey(answer.body) }));
  }

  /** A request as it would be sent to this address, for who watches connections himself. */
  requestTo(
    endpoint: Endpoint,
    operation: string,
    method: ProbeRequest["method"],
    path: string,
    options: CallOptions = {},
  ): ProbeRequest {
    const { onLine } = options;
    // The key goes to the configured server only, never to an address that an answer named.
    const key: Record<string, string> =
      this.apiKey !== null && endpoint.origin === this.base.origin ? { "open-sandbox-api-key": this.apiKey } : {};
    return {
      operation,
      method,
      path: endpoint.prefix + path,
      headers: { ...key, ...endpoint.headers },
      deadlineMs: options.deadlineMs ?? SHORT_DEADLINE_MS,
      json: options.json,
      signal: options.signal,
      onLine: onLine && ((line) => onLine(this.withoutKey(line))),
    };
  }

  /** A server that repeats what it was sent must not bring the key into results, evidence or another origin's headers. */
  private withoutKey(text: string): string {
    return this.apiKey === null || this.apiKey === "" ? text : text.replaceAll(this.apiKey, "[key]");
  }

  private transport(origin: string): Transport {
    const known = this.transports.get(origin);
    if (known) return known;
    const made = new Transport(origin, this.profile);
    this.transports.set(origin, made);
    return made;
  }
}

interface CallOptions {
  json?: unknown;
  deadlineMs?: number;
  signal?: AbortSignal;
  onLine?: (line: string) => boolean;
}
