/**
 * Loopback is not access control: any page in a browser on this machine can send requests here, and a name that is made
 * to resolve to 127.0.0.1 makes its page same-origin. So the Host must be ours, and changes must come from our own pages.
 */
import { CoalmineError } from "@/server/domain/errors";
import type { AccessSettings } from "./services";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);
const OWN_SITE = new Set(["same-origin", "none"]);

export interface Guarded {
  method: string;
  url: string;
  headers: Headers;
}

/** Throws `forbidden` for a Host that is not ours. With tokens any Host may be used: reading needs a token or a cookie. */
export function requireOwnHost(request: Guarded, settings: AccessSettings): void {
  if (settings.tokens.length > 0 || isOwnHost(hostOf(request), settings)) return;
  throw new CoalmineError(
    "forbidden",
    "Host: this server answers to loopback addresses and to COALMINE_PUBLIC_URL only",
  );
}

/**
 * Throws `forbidden` for a change that another site's page asks for. Programs send neither Origin nor Sec-Fetch-Site;
 * a Bearer token is nothing that a page of another site can have, so it needs no check.
 */
export function requireOwnSite(request: Guarded, settings: AccessSettings): void {
  if (SAFE.has(request.method) || byToken(request, settings)) return;
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const ownSite = site === null || OWN_SITE.has(site);
  const ownOrigin = origin === null || isOwnOrigin(origin, hostOf(request), settings);
  if (ownSite && ownOrigin) return;
  throw new CoalmineError("forbidden", "Origin: changes are taken from this server's own pages and from programs only");
}

function byToken(request: Guarded, settings: AccessSettings): boolean {
  return settings.tokens.length > 0 && /^Bearer\s/i.test(request.headers.get("authorization") ?? "");
}

function hostOf(request: Guarded): string {
  return (request.headers.get("host") ?? new URL(request.url).host).toLowerCase();
}

function isOwnHost(host: string, settings: AccessSettings): boolean {
  if (settings.publicUrl !== null && host === new URL(settings.publicUrl).host) return true;
  const parsed = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null;
  if (!parsed || parsed.username || parsed.pathname !== "/" || parsed.search || parsed.hash) return false;
  return isLoopback(parsed.hostname) && Number(parsed.port || 80) === settings.port;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Scheme aside: a proxy in front may end TLS. `null` (a sandboxed page) is nobody's own. */
function isOwnOrigin(origin: string, host: string, settings: AccessSettings): boolean {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  if (settings.publicUrl !== null && from.origin === new URL(settings.publicUrl).origin) return true;
  return /^https?:$/.test(from.protocol) && from.host === host;
}
