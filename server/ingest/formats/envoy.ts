/** Envoy's access log, in JSON or text: response flags say what its 503 does not. */
import type { Evidence } from "@/server/domain/evidence";
import type { Format, FormatContext, Payload, Sink } from "../format";
import { envoyTextRecord } from "./envoy-text";
import { gatewaySeen } from "./gateway-seen";
import { type JsonObject, jsonFault, numberOf, objectOf, textOf, typeWord } from "./json-fields";
import { timeOf } from "./times";

const LOOKS = /"response_flags"\s*:|"response_code"\s*:|"response_co?d?e?$|"start_time":.*"response_co/;

export const envoy: Format = {
  name: "envoy",
  title: "Envoy access log, in JSON or in the default text of Envoy and Istio",
  unit: "line",
  accepts(payload) {
    if (payload.text.startsWith("[")) return envoyTextRecord(payload.text) !== null;
    if (payload.json === undefined && !(payload.text.startsWith("{") && LOOKS.test(payload.text))) return false;
    const object = objectOf(payload);
    return object === null ? payload.json === undefined : "response_code" in object && "response_flags" in object;
  },
  read: readLine,
};

function readLine(payload: Payload, sink: Sink, context: FormatContext): void {
  const record = envoyTextRecord(payload.text) ?? objectOf(payload);
  if (!record) {
    const { code, message } = jsonFault(payload.text);
    sink.reject(payload.line, code, message, payload.text.slice(0, 500));
    return;
  }
  const status = numberOf(record, "response_code");
  if (status === undefined) {
    const message = `response_code must be a number, got ${typeWord(record.response_code)}`;
    sink.reject(payload.line, "invalid_type", message, payload.text.slice(0, 500));
    return;
  }
  const time = timeOf(record.start_time, { tz: context.params.tz, receivedAt: context.receivedAt });
  const seen = gatewaySeen(evidenceOf(record, status), {
    method: textOf(record, "method"),
    url: textOf(record, "path", "x_envoy_original_path"),
    at: time?.at ?? null,
    requestId: textOf(record, "request_id", "x_request_id"),
  });
  if (!seen) {
    sink.routine(payload);
    return;
  }
  sink.observe(payload, time ? { ...seen, at: time.at, atAssumed: time.assumed } : seen);
}

function evidenceOf(record: JsonObject, status: number): Evidence {
  const evidence: Evidence = { layer: "gateway", kind: "access", status };
  const flags = textOf(record, "response_flags");
  const details = textOf(record, "response_code_details");
  const upstream = textOf(record, "upstream_host");
  const duration = numberOf(record, "duration");
  const attempts = numberOf(record, "attempts", "upstream_request_attempt_count");
  if (flags) evidence.code = flags;
  if (details) evidence.message = details;
  if (upstream) evidence.peer = upstream;
  if (duration !== undefined) evidence.durationMs = duration;
  if (attempts !== undefined) evidence.attempt = attempts;
  return evidence;
}
