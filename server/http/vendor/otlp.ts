/** `POST /otlp/v1/logs`: OTLP/HTTP as its specification has it, answered in the request's own encoding. */
import { CoalmineError } from "@/server/domain/errors";
import { log } from "../log";
import { problemOf } from "../problem";
import type { HttpServices } from "../services";
import { decodeOtlp, encodeOtlpAnswer, encodeOtlpStatus } from "./otlp-proto";
import { deliver, requireSender, wholeBody } from "./receive";

const PROTOBUF = "application/x-protobuf";
/** gRPC codes, which senders read to decide whether to send again. */
const GRPC: Record<string, number> = {
  invalid: 3,
  unauthorized: 16,
  forbidden: 7,
  too_large: 3,
  unsupported: 3,
  busy: 14,
  unavailable: 14,
  storage_full: 8,
};

export async function receiveOtlp(request: Request, open: () => Promise<HttpServices>): Promise<Response> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  const binary = type === PROTOBUF;
  try {
    const services = await open();
    requireSender(request, services);
    if (!binary && type !== "application/json") {
      throw new CoalmineError(
        "unsupported",
        `Content-Type: ${type || "none"} is neither ${PROTOBUF} nor application/json`,
      );
    }
    const document = readDocument(await wholeBody(request), binary);
    if (isEmpty(document)) return answer(binary, 0, "");
    const result = await deliver(request, services, "otlp-json", document, "otlp");
    return answer(binary, result.rejected, result.rejects[0]?.message ?? "");
  } catch (error) {
    return failure(error, binary);
  }
}

function readDocument(body: Buffer, binary: boolean): unknown {
  try {
    return binary ? decodeOtlp(body) : JSON.parse(body.toString("utf8"));
  } catch (error) {
    throw new CoalmineError(
      "invalid",
      `body: is no OTLP logs request: ${error instanceof Error ? error.message : "unreadable"}`,
    );
  }
}

function isEmpty(document: unknown): boolean {
  const logs = (document as { resourceLogs?: unknown } | null)?.resourceLogs;
  return !Array.isArray(logs) || logs.length === 0;
}

function answer(binary: boolean, rejected: number, message: string): Response {
  if (binary) return reply(encodeOtlpAnswer(rejected, message), 200);
  const body =
    rejected === 0 ? {} : { partialSuccess: { rejectedLogRecords: String(rejected), errorMessage: message } };
  return Response.json(body);
}

function failure(error: unknown, binary: boolean): Response {
  const problem = problemOf(error);
  if (problem.code === "internal") log().error({ err: error }, "an OTLP request failed");
  const retry =
    error instanceof CoalmineError && error.retryAfterS !== undefined
      ? { "retry-after": String(Math.ceil(error.retryAfterS)) }
      : undefined;
  const code = GRPC[problem.code] ?? 13;
  if (binary) return reply(encodeOtlpStatus(code, problem.detail), problem.status, retry);
  return Response.json({ code, message: problem.detail }, { status: problem.status, headers: retry });
}

function reply(body: Uint8Array, status: number, headers: Record<string, string> = {}): Response {
  return new Response(Buffer.from(body), { status, headers: { ...headers, "content-type": PROTOBUF } });
}
