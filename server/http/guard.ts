/** What stands before every page: the Host must be ours, one must be signed in, and scripts need this answer's nonce. */
import { randomBytes } from "node:crypto";
import { CoalmineError } from "@/server/domain/errors";
import { identify, requireRole } from "./auth";
import { contentSecurityPolicy } from "./csp";
import { type Guarded, requireOwnHost, requireOwnSite } from "./origin-guard";
import { problemResponse } from "./problem";
import type { AccessSettings } from "./services";

export const SIGN_IN_PATH = "/sign-in";

export type PageGuard =
  | { answer: Response }
  /** Headers that the page's request gets (Next.js reads the nonce from its policy) and that its answer gets. */
  | { request: Record<string, string>; response: Record<string, string> };

export function guardPage(request: Guarded, settings: AccessSettings, development: boolean): PageGuard {
  try {
    requireOwnHost(request, settings);
    requireOwnSite(request, settings);
  } catch (error) {
    return { answer: problemResponse(error) };
  }
  const url = new URL(request.url);
  if (!isReadable(url.pathname)) return { answer: unreadableAddress() };
  if (url.pathname !== SIGN_IN_PATH && !maySee(request, settings)) return { answer: toSignIn(url) };
  const nonce = randomBytes(18).toString("base64");
  const policy = contentSecurityPolicy(nonce, development);
  return {
    request: { "x-nonce": nonce, "content-security-policy": policy },
    response: { "content-security-policy": policy },
  };
}

function maySee(request: Guarded, settings: AccessSettings): boolean {
  try {
    requireRole(identify(request.headers, settings, Date.now()), "viewer");
    return true;
  } catch {
    return false;
  }
}

export function isCall(pathname: string): boolean {
  return /^\/(api|otlp|loki)\//.test(pathname);
}

/** The answer to a call whose address cannot be read, which Next.js would fail on; null for any other call. */
export function refuseUnreadable(url: string): Response | null {
  const { pathname } = new URL(url);
  if (isReadable(pathname)) return null;
  return problemResponse(new CoalmineError("invalid", `${pathname}: is not valid percent-encoding`));
}

/** Is it valid percent-encoding of UTF-8? Next.js answers 500 where it is not. */
function isReadable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

function unreadableAddress(): Response {
  const said =
    '<!doctype html><html lang="en"><title>Not an address · Coalmine</title><h1>This address cannot be read.</h1><p>A name in it is not written in valid percent-encoding. <a href="/runs">All runs</a></p></html>';
  return new Response(said, { status: 400, headers: { "content-type": "text/html; charset=utf-8" } });
}

/** Absolute, as Next.js asks of a proxy; it sends the path alone, so the redirect holds under any name. */
function toSignIn(url: URL): Response {
  const target = new URL(SIGN_IN_PATH, url);
  target.searchParams.set("next", url.pathname + url.search);
  return new Response(null, { status: 307, headers: { location: target.toString(), "cache-control": "no-store" } });
}
