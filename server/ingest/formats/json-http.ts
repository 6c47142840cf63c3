/** One HTTP answer that a client wrote down: status, body (often JSON in a string), headers. */
import type { Evidence } from "@/server/domain/evidence";
import type { Seen } from "../format";
import { aboutPath } from "./access-line";
import { bounded } from "./bounded";
import { idsIn, peerIn } from "./ids-in-text";
import { isObject, type JsonObject, numberOf, objectAt, textOf } from "./json-fields";

/** `undefined`: not such a record. `null`: one that proves nothing. */
export function httpSeen(record: JsonObject): Seen | null | undefined {
  const status = numberOf(record, "status", "http", "status_code", "http_status");
  const about = "body" in record || "headers" in record || "port" in record || "path" in record || "url" in record;
  if (status === undefined || !Number.isInteger(status) || status < 100 || status > 599) return undefined;
  if (!about && !("http" in record)) return undefined;
  const where = aboutPath(textOf(record, "path", "url", "uri") ?? "");
  const body = bodyOf(record.body);
  const evidence: Evidence = {
    layer: "harness",
    kind: status < 400 ? "success" : "http",
    status,
    phase: "exec",
    ...body,
  };
  const port = numberOf(record, "port") ?? where.port;
  const server = textOf(objectAt(record, "headers"), "server", "Server");
  const method = textOf(record, "method");
  if (port !== undefined) evidence.port = port;
  if (where.path) evidence.path = where.path;
  if (method) evidence.method = method;
  if (server) evidence.serverHeader = server;
  if (/^\/?(?:v1\/)?sandboxes\/?$/.test(where.path)) evidence.phase = "create";
  const state = textOf(record, "state");
  if (state) evidence.finishedStatus = state;
  Object.assign(evidence, peerIn(body.message ?? ""));
  const ids = idsIn(body.message ?? "");
  return { evidence, ...(where.sandbox ? { sandbox: where.sandbox } : {}), ...(ids.podIp ? { podIp: ids.podIp } : {}) };
}

/** `code` and `message` of a JSON error body, else the body's text. */
export function bodyOf(body: unknown): Pick<Evidence, "code" | "message"> {
  const object = typeof body === "string" ? parsed(body) : body;
  if (!isObject(object)) return typeof body === "string" && body !== "" ? { message: bounded(body) } : {};
  const found: Pick<Evidence, "code" | "message"> = {};
  const code = textOf(object, "code");
  const message = textOf(object, "message", "error", "detail");
  if (code) found.code = code;
  if (message) found.message = bounded(message);
  return found;
}

function parsed(text: string): unknown {
  if (!text.startsWith("{")) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
