/** `POST /loki/api/v1/push`: JSON, or snappy protobuf as Alloy, promtail and Vector send; 204 without a body, errors as plain text. */
import { CoalmineError } from "@/server/domain/errors";
import { log } from "../log";
import { problemOf } from "../problem";
import type { HttpServices } from "../services";
import { decodeLoki, type LokiJson } from "./loki-proto";
import { deliver, MOST_BYTES, requireSender, wholeBody } from "./receive";

export async function receiveLoki(request: Request, open: () => Promise<HttpServices>): Promise<Response> {
  try {
    const services = await open();
    requireSender(request, services);
    const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
    const document = readDocument(await wholeBody(request, true), type);
    if (document.streams.length === 0) return new Response(null, { status: 204 });
    const result = await deliver(request, services, "loki-json", document, "loki");
    const first = result.rejects[0];
    // Loki's senders drop what was answered 400; only a request of which nothing went in is refused whole.
    if (first && result.rejected === result.records) throw new CoalmineError("invalid", first.message);
    return new Response(null, { status: 204 });
  } catch (error) {
    return failure(error);
  }
}

function readDocument(body: Buffer, type: string): LokiJson {
  try {
    if (type === "application/x-protobuf") return decodeLoki(body, MOST_BYTES);
    const value: unknown = JSON.parse(body.toString("utf8"));
    const streams = (value as { streams?: unknown } | null)?.streams;
    if (!Array.isArray(streams)) throw new Error("streams: is not a list");
    return value as LokiJson;
  } catch (error) {
    throw new CoalmineError(
      "invalid",
      `body: is no push request: ${error instanceof Error ? error.message : "unreadable"}`,
    );
  }
}

function failure(error: unknown): Response {
  const problem = problemOf(error);
  if (problem.code === "internal") log().error({ err: error }, "a Loki push failed");
  const headers: Record<string, string> = { "content-type": "text/plain; charset=utf-8" };
  if (error instanceof CoalmineError && error.retryAfterS !== undefined)
    headers["retry-after"] = String(Math.ceil(error.retryAfterS));
  return new Response(`${problem.detail}\n`, { status: problem.status, headers });
}
