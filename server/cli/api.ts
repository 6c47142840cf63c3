import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, type Dispatcher, request } from "undici";
import type { List, Problem } from "@/server/domain/answers";
import { CommandError, EXIT, type Terminal } from "./terminal";

const DEFAULT_URL = "http://127.0.0.1:4180";
const MAX_WAITS = 20;
const MAX_WAIT_S = 60;
const MAX_LOST = 3;

export interface Call {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  query?: Record<string, string | undefined>;
  headers?: Record<string, string>;
  /** Makes the body anew for each try: a stream can be read only once. */
  body?: () => Readable;
  /** Sent as JSON instead of a body. */
  json?: unknown;
  /** Breaks the call and its waits off, with the signal's own reason. */
  signal?: AbortSignal;
  /** Told before each wait, so that a person knows why nothing moves. */
  onWait?: (seconds: number, why: string) => void;
}

/** An answer that is no 2xx, in the server's own words. */
export class RefusedError extends CommandError {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, detail: string) {
    super(detail, { exit: status === 401 || status === 403 ? EXIT.cannot : EXIT.someFailed });
    this.name = "RefusedError";
    this.status = status;
    this.code = code;
  }
}

/** Nothing answers there, now. */
export class UnreachableError extends CommandError {}

/** Speaks to the server at COALMINE_URL with COALMINE_TOKEN. */
export class Api {
  private readonly base: string;
  private readonly token: string | undefined;
  /** A delivery of many GB is answered when it is durable, so no timer runs on the answer. */
  private readonly agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } });

  constructor(terminal: Pick<Terminal, "env">, url?: string) {
    const text = url ?? (terminal.env.COALMINE_URL || DEFAULT_URL);
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
      throw new CommandError(`COALMINE_URL is "${text}": it must be an address such as ${DEFAULT_URL}.`);
    }
    this.base = text.replace(/\/+$/, "");
    this.token = terminal.env.COALMINE_TOKEN || undefined;
  }

  /** The JSON answer of `/api/v1{path}`. Waits and tries again on 429 and 503. Throws `RefusedError`, `CommandError`. */
  async call<T>(path: string, call: Call = {}): Promise<T> {
    let lost = 0;
    for (let wait = 0; ; wait += 1) {
      const answer = await this.send(path, call).catch((error: unknown) => {
        call.signal?.throwIfAborted();
        lost += 1;
        return this.unreachable(error, lost > MAX_LOST);
      });
      if (answer === null) await this.pause(call, lost, "the connection was lost");
      else if (![429, 503].includes(answer.statusCode) || wait >= MAX_WAITS) return await read<T>(answer);
      else {
        await answer.body.dump();
        await this.pause(call, retryAfter(answer.headers["retry-after"]), `the server answered ${answer.statusCode}`);
      }
    }
  }

  /** Sends JSON once: an answer that was lost may have been acted on. Throws `RefusedError`, `CommandError`. */
  async post<T>(path: string, json: string): Promise<T> {
    const headers = { "content-type": "application/json" };
    const sent = await this.send(path, { method: "POST", headers, body: () => Readable.from([json]) }).catch(
      (error: unknown) => {
        this.unreachable(error, true);
        throw error;
      },
    );
    return await read<T>(sent);
  }

  /** All items of a list, page after page. */
  async all<T>(path: string, query: Record<string, string | undefined> = {}): Promise<T[]> {
    const items: T[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: List<T> = await this.call(path, { query: { ...query, limit: "500", cursor } });
      items.push(...page.items);
      cursor = page.next;
    }
    return items;
  }

  async close(): Promise<void> {
    await this.agent.close();
  }

  private send(
    path: string,
    { method = "GET", query = {}, headers = {}, body, json, signal }: Call,
  ): Promise<Dispatcher.ResponseData> {
    const url = new URL(`${this.base}/api/v1${path}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const own = { accept: "application/json", ...(this.token ? { authorization: `Bearer ${this.token}` } : {}) };
    const typed = json === undefined ? {} : { "content-type": "application/json" };
    const sent = json === undefined ? (body?.() ?? null) : JSON.stringify(json);
    const all = { ...own, ...typed, ...headers };
    return request(url, { method, headers: all, body: sent, signal, dispatcher: this.agent });
  }

  /** null when the same call may be made again: the server knows a delivery by its bytes. Throws when nothing listens. */
  private unreachable(error: unknown, spent: boolean): null {
    const code = codeOf(error);
    const atConnect = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "EHOSTUNREACH"];
    if (code !== null && !atConnect.includes(code) && !spent) return null;
    const hint = code === "ECONNREFUSED" ? " Is it running (`npm run up`)? Set COALMINE_URL to another address." : "";
    const words = error instanceof Error ? error.message : String(error);
    throw new UnreachableError(`Cannot reach ${this.base} (${code ?? words}).${hint}`, { cause: error });
  }

  private async pause(call: Call, seconds: number, why: string): Promise<void> {
    call.onWait?.(seconds, why);
    await sleep(seconds * 1000, undefined, { signal: call.signal }).catch((error: unknown) => {
      call.signal?.throwIfAborted();
      throw error;
    });
  }
}

function codeOf(error: unknown): string | null {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  const found = code ?? cause?.code;
  return typeof found === "string" ? found : null;
}

/** Seconds to wait: a number or an HTTP date, at most a minute; two seconds when the server does not say. */
export function retryAfter(header: string | string[] | undefined, now = Date.now()): number {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return 2;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.min(MAX_WAIT_S, Math.max(0, seconds)) : 2;
}

async function read<T>(answer: Dispatcher.ResponseData): Promise<T> {
  const text = await answer.body.text();
  const ok = answer.statusCode >= 200 && answer.statusCode < 300;
  if (ok && text === "") return undefined as T;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const what = ok ? "an answer that is no JSON" : `${answer.statusCode}`;
    throw new CommandError(`The server sent ${what}. Is COALMINE_URL the address of a Coalmine?`, { cause: error });
  }
  if (ok) return value as T;
  const { code = "internal", detail, title } = (value ?? {}) as Partial<Problem>;
  throw new RefusedError(answer.statusCode, code, detail ?? title ?? `The server answered ${answer.statusCode}.`);
}
