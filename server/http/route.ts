/** One call of the API as data: what it is named, who may make it, what it takes, what it answers. */
import type { z } from "zod";
import type { Need, Principal } from "./auth";
import { parseWith, searchObject } from "./params";
import { readBody } from "./read-body";
import type { HttpServices } from "./services";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** What a call is given, before its own parameters are parsed. */
export interface Call {
  request: Request;
  url: URL;
  path: Record<string, string>;
  services: HttpServices;
  principal: Principal | null;
  /** Every call of the API, for the one that describes it. */
  table: readonly Route[];
  /** Epoch ms at which the call came in. */
  now: number;
}

/** An answer that is more than JSON with status 200. */
export class Reply {
  constructor(
    readonly body: unknown,
    readonly options: { status?: number; headers?: Record<string, string> } = {},
  ) {}
}

export interface Answer {
  description: string;
  schema: z.ZodType;
  /** The answer is `{ items, next }` of `schema`, and can be had as CSV. */
  list?: boolean;
  /** What the answer is where it is no JSON, e.g. `application/x-ndjson`. */
  type?: string;
}

export interface Route {
  method: Method;
  /** Under `/api/v1`, e.g. `/runs/{run}`. */
  path: string;
  need: Need;
  /** Stable name for generated clients. */
  operation: string;
  summary: string;
  query: z.ZodObject;
  /** `raw`: the bytes as they come, for the call to read. */
  body: z.ZodType | "raw" | null;
  answer: Answer;
  run(call: Call): Promise<unknown>;
}

interface Spec<Q extends z.ZodObject, B extends z.ZodType> extends Omit<Route, "query" | "body" | "run"> {
  query: Q;
  body?: B | "raw";
  handle(call: Call & { query: z.output<Q>; body: z.output<B> }): Promise<unknown>;
}

/** Parses the query and the body of a call before `handle` sees them. */
export function defineRoute<Q extends z.ZodObject, B extends z.ZodType>(spec: Spec<Q, B>): Route {
  const { handle, body: bodySchema, ...said } = spec;
  return {
    ...said,
    body: bodySchema ?? null,
    async run(call) {
      const query = parseWith(spec.query, searchObject(call.url.searchParams));
      const given = bodySchema === undefined || bodySchema === "raw" ? undefined : await readBody(call.request);
      const body = bodySchema === undefined || bodySchema === "raw" ? given : parseWith(bodySchema, given);
      return handle({ ...call, query, body: body as z.output<B> });
    },
  };
}
