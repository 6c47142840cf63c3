/** What stands before every page: the Host must be ours, one must be signed in, and scripts need this answer's nonce. */
import { randomBytes } from "node:crypto";
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

/** Absolute, as Next.js asks of a proxy; it sends the path alone, so the redirect holds under any name. */
function toSignIn(url: URL): Response {
  const target = new URL(SIGN_IN_PATH, url);
  target.searchParams.set("next", url.pathname + url.search);
  return new Response(null, { status: 307, headers: { location: target.toString(), "cache-control": "no-store" } });
}
