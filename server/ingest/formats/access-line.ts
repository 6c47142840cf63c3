/** uvicorn's access lines: `10.61.0.9:50212 - "POST /v1/sandboxes/<id>/proxy/44772/command HTTP/1.1" 502`. */
import type { Evidence, Layer } from "@/server/domain/evidence";
import type { Seen } from "../format";

const ACCESS = /^(\S+):(\d+) - "([A-Z]+) (\S+) HTTP\/[\d.]+" (\d{3})(?: .*)?$/;

export function accessEvidence(message: string, layer: Layer): Pick<Seen, "evidence" | "sandbox"> | null {
  const match = ACCESS.exec(message);
  if (!match) return null;
  const [, , , method, path = "", status] = match;
  const about = aboutPath(path);
  const evidence: Evidence = { layer, kind: "access", method, path: about.path, status: Number(status) };
  if (about.port !== undefined) evidence.port = about.port;
  return about.sandbox === undefined ? { evidence } : { evidence, sandbox: about.sandbox };
}

/** The sandbox and port that a server path names; the path comes back without its query, which may hold secrets. */
export function aboutPath(url: string): { path: string; sandbox?: string; port?: number } {
  const path = url.replace(/[?#].*$/, "");
  const match = /\/sandboxes\/([^/]+)(?:\/(?:proxy|endpoints)\/(\d+))?/.exec(path);
  if (!match?.[1]) return { path };
  return match[2] === undefined ? { path, sandbox: match[1] } : { path, sandbox: match[1], port: Number(match[2]) };
}
