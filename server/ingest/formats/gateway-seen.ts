/** One request as a gateway's log tells it, whichever gateway. */
import type { Evidence, Phase } from "@/server/domain/evidence";
import type { Seen } from "../format";
import { aboutPath } from "./access-line";
import { execIpIn } from "./ids-in-text";

export interface GatewayRequest {
  method?: string;
  url?: string;
  client?: string;
  /** Epoch ms. */
  at: number | null;
  requestId?: string;
}

/** Null for an answer that proves nothing: below 400, except to a call whose failure it would make good. */
export function gatewaySeen(evidence: Evidence, { method, url, client, at, requestId }: GatewayRequest): Seen | null {
  const path = (url ?? "").replace(/^[a-z]+:\/\/[^/]+/, "");
  const about = aboutPath(path);
  const seen: Seen = { evidence: { ...evidence } };
  if (method) seen.evidence.method = method;
  if (about.path) seen.evidence.path = about.path;
  if (about.port !== undefined) seen.evidence.port = about.port;
  if (about.sandbox) seen.sandbox = about.sandbox;
  const podIp = execIpIn(evidence.peer ?? "");
  if (podIp) seen.podIp = podIp;
  const phase = phaseOfPath(method, about.path, about.port);
  if (phase) seen.evidence.phase = phase;
  const status = evidence.status;
  if (evidence.kind === "access" && status !== undefined && status > 0 && status < 400) {
    // Answers of agents' own programs are many and make nothing good.
    if (!phase || !about.sandbox || status < 200) return null;
    seen.evidence.kind = "success";
    return seen;
  }
  const second = at === null ? "" : Math.floor(at / 1000);
  if (requestId) seen.evidence.operationId = requestId;
  else if (client && about.path) seen.evidence.operationId = `${client} ${method} ${about.path} ${second}`;
  return seen;
}

function phaseOfPath(method: string | undefined, path: string, port: number | undefined): Phase | undefined {
  if (method === "DELETE") return "teardown";
  if (method === "POST" && /\/sandboxes\/?$/.test(path)) return "create";
  if (port === 44_772) return "exec";
  return port === undefined && /\/sandboxes\//.test(path) ? "setup" : undefined;
}
