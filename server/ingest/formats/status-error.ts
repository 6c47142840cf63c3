/** The status that a Python HTTP client raised (`raise_for_status`) on a call to the sandbox API: it is that answer, and its URL says whose. */
import type { Evidence } from "@/server/domain/evidence";
import { aboutPath } from "./access-line";

/** httpx: `Client error '404 Not Found' for url 'http://…'`; requests: `404 Client Error: Not Found for url: http://…`. */
const RAISED =
  /(?:(?:Client|Server) error '(\d{3}) [^']{0,60}' for url '|\b(\d{3}) (?:Client|Server) Error: .{0,60} for url: )https?:\/\/[^\s/'"]+(\/(?:v1\/)?sandboxes(?:[/?][^\s'"]*)?)(?=['"\s]|$)/;

/** Null for another text, and for URLs of anything but the sandbox API: a model's or a hub's 429 is not the sandbox's. */
export function statusError(text: string): Pick<Evidence, "kind" | "status" | "path" | "port"> | null {
  const match = RAISED.exec(text);
  if (!match) return null;
  const { path, port } = aboutPath(match[3] ?? "");
  const seen = { kind: "http" as const, status: Number(match[1] ?? match[2]), path };
  return port === undefined ? seen : { ...seen, port };
}
