/** Where commands of one sandbox go: the answer of an endpoint lookup, taken with care, since a server wrote it. */
import { isRecord } from "./problem";

export interface Endpoint {
  origin: string;
  prefix: string;
  /** Sent on with every request, as the lookup asks. */
  headers: Record<string, string>;
}

/** Headers that a lookup may ask us to send; those that frame the request are our client's own. */
const SENDABLE =
  /^(?!(?:host|connection|content-length|content-type|transfer-encoding|expect|upgrade|keep-alive|te|trailer)$)[a-z0-9-]{1,100}$/;

/** `host[:port][/path]`, most often without a scheme: then the server's own is used. Null when it is no address. */
export function readEndpoint(value: string, headers: unknown, protocol: string): Endpoint | null {
  const text = /^https?:\/\//.test(value) ? value : `${protocol}//${value}`;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const extra = Object.entries(textMap(headers)).map(([name, one]) => [name.toLowerCase(), one] as const);
  return {
    origin: url.origin,
    prefix: url.pathname.replace(/\/$/, ""),
    headers: Object.fromEntries(extra.filter(([name, one]) => SENDABLE.test(name) && /^[\t\x20-\x7e]*$/.test(one))),
  };
}

export function textMap(value: unknown): Record<string, string> {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, String(one)])) : {};
}
