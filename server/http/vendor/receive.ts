/** What both vendors' endpoints share: the guards of the API, a bounded body, and an ordinary delivery. */
import type { IngestResult } from "@/server/domain/batch";
import { CoalmineError } from "@/server/domain/errors";
import { identify, requireRole } from "../auth";
import { requireOwnHost, requireOwnSite } from "../origin-guard";
import { bodyOf } from "../read-body";
import type { HttpServices } from "../services";
import { unpack } from "./unpack";

/** A collector's request holds a batch of lines, not a file; more than this is a mistake of its configuration. */
export const MOST_BYTES = 64 * 1024 * 1024;

export function requireSender(request: Request, services: HttpServices): void {
  requireOwnHost(request, services.settings);
  requireOwnSite(request, services.settings);
  requireRole(identify(request.headers, services.settings, Date.now()), "ingest");
}

/**
 * The decoded body, whole. With `snappyIsFormat` that encoding names what the body's format is compressed with anyway, as Loki's senders
 * have it. Throws `too_large`, `unsupported` for an encoding, `invalid` for a broken one.
 */
export async function wholeBody(request: Request, snappyIsFormat = false): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of bodyOf(request)) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new CoalmineError("too_large", `body: more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  const encoding = request.headers.get("content-encoding");
  const body = Buffer.concat(chunks);
  return snappyIsFormat && encoding?.trim() === "snappy" ? body : unpack(body, encoding, MOST_BYTES);
}

/** Run and source of the sender come from its own attributes and labels; these headers say them for the whole request. */
export function deliver(
  request: Request,
  services: HttpServices,
  format: string,
  document: unknown,
  source: string,
): Promise<IngestResult> {
  const bytes = Buffer.from(JSON.stringify(document));
  async function* body() {
    yield bytes;
  }
  return services.ingest({
    params: {
      format,
      run: request.headers.get("x-coalmine-run"),
      source: request.headers.get("x-coalmine-source") ?? source,
      node: null,
      cluster: request.headers.get("x-coalmine-cluster") ?? "default",
      tz: null,
      origin: "fleet",
    },
    name: null,
    encoding: null,
    body: body(),
    signal: request.signal,
  });
}
