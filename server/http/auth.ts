/** Who is asking, and may they? Tokens come from configuration; a cookie stands for one of them. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { AccessToken, TokenRole } from "@/server/domain/access";
import { CoalmineError } from "@/server/domain/errors";
import type { AccessSettings } from "./services";

/** What a call needs; `open` needs nothing. */
export type Need = "open" | TokenRole;

export interface Principal {
  name: string;
  role: TokenRole;
}

const MAY: Record<TokenRole, ReadonlySet<Need>> = {
  ingest: new Set<Need>(["open", "ingest"]),
  viewer: new Set<Need>(["open", "viewer"]),
  operator: new Set<Need>(["open", "ingest", "viewer", "operator"]),
};

export const SESSION_COOKIE = "coalmine-session";
export const SESSION_S = 7 * 24 * 3600;

/** The asker by Bearer token or session cookie; null when neither is valid. Without tokens everyone here is the operator. */
export function identify(headers: Headers, settings: AccessSettings, now: number): Principal | null {
  if (settings.tokens.length === 0) return { name: "local", role: "operator" };
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers.get("authorization") ?? "")?.[1];
  const token = bearer === undefined ? fromCookie(headers, settings, now) : findToken(bearer, settings);
  return token && { name: token.name, role: token.role };
}

/** Throws `unauthorized` when nobody is known, `forbidden` when their role does not reach. */
export function requireRole(principal: Principal | null, need: Need): void {
  if (need === "open") return;
  if (principal === null) throw new CoalmineError("unauthorized", "Send a token: Authorization: Bearer …, or sign in.");
  if (!MAY[principal.role].has(need)) {
    throw new CoalmineError(
      "forbidden",
      `This call needs the role ${need}; "${principal.name}" has ${principal.role}.`,
    );
  }
}

/** Compares with every token in the same time, whatever the first difference. */
export function findToken(secret: string, settings: AccessSettings): AccessToken | null {
  let found: AccessToken | null = null;
  for (const token of settings.tokens) if (sameSecret(secret, token.secret)) found = token;
  return found;
}

function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** `Set-Cookie` for a session of this token. It is signed with the token itself, so it ends when the token is taken away. */
export function sessionCookie(token: AccessToken, settings: AccessSettings, now: number): string {
  const body = `${tokenId(token)}.${Math.floor(now / 1000) + SESSION_S}`;
  return cookie(`${body}.${sign(body, token)}`, SESSION_S, settings);
}

export function endedSessionCookie(settings: AccessSettings): string {
  return cookie("", 0, settings);
}

function cookie(value: string, maxAgeS: number, settings: AccessSettings): string {
  const secure = settings.publicUrl?.startsWith("https:") ? "; Secure" : "";
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`;
}

function fromCookie(headers: Headers, settings: AccessSettings, now: number): AccessToken | null {
  const [id, until, signature] = readCookie(headers)?.split(".") ?? [];
  if (!id || !until || !signature || !(Number(until) * 1000 > now)) return null;
  const token = settings.tokens.find((one) => tokenId(one) === id);
  return token && sameSecret(signature, sign(`${id}.${until}`, token)) ? token : null;
}

function readCookie(headers: Headers): string | undefined {
  const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${SESSION_COOKIE}=`))?.slice(SESSION_COOKIE.length + 1);
}

/** Names a token without telling anything of it. */
function tokenId(token: AccessToken): string {
  return createHmac("sha256", token.secret).update("coalmine session id").digest("hex").slice(0, 16);
}

function sign(body: string, token: AccessToken): string {
  return createHmac("sha256", token.secret)
    .update(`coalmine session ${token.name} ${token.role} ${body}`)
    .digest("base64url");
}
