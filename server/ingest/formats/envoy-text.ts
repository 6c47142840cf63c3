/** Envoy's access log as text, in Envoy's own default layout and in Istio's, which adds details behind the flags. */
import type { JsonObject } from "./json-fields";

const LINE =
  /^\[(\d{4}-\d\d-\d\dT[\d:.]+Z)\] "(\S+) (\S+) [^"]{1,40}" (\d{1,3}) ([A-Z,-]+) (?:(\S+) \S+ "[^"]*" )?(\d+) (\d+) (\d+) \S+ "[^"]*" "[^"]*" "([^"]*)" "[^"]*" "([^"]*)"/;

/** The fields under the names of the JSON layout; null for another line. */
export function envoyTextRecord(text: string): JsonObject | null {
  const match = LINE.exec(text);
  if (!match) return null;
  const [, start_time, method, path, code, response_flags, details, , , duration, request_id, upstream_host] = match;
  return {
    start_time,
    method,
    path,
    response_code: Number(code),
    response_flags,
    duration: Number(duration),
    ...(details === undefined || details === "-" ? {} : { response_code_details: details }),
    ...(request_id === "-" ? {} : { request_id }),
    ...(upstream_host === "-" ? {} : { upstream_host }),
  };
}
