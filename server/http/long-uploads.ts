/** Node.js ends a request whose body takes longer than five minutes; a delivery of many GB takes longer. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";

const CHANNEL = "http.server.request.start";
const MOST_MS = 12 * 3600 * 1000;

/** Gives request bodies 12 hours, from the first request on. Headers keep their own, short limit. */
export function allowLongUploads(): void {
  const raise = (message: unknown) => {
    const { server } = message as { server?: Server };
    if (!server) return;
    server.requestTimeout = MOST_MS;
    unsubscribe(CHANNEL, raise);
  };
  subscribe(CHANNEL, raise);
}
