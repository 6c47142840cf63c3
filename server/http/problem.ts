/** Errors as `application/problem+json` with a stable code. What we did not expect is `internal`, and its text stays inside. */
import type { Problem } from "@/server/domain/answers";
import { CoalmineError, ERROR_STATUS, type ErrorCode, errorCode } from "@/server/domain/errors";

const TITLE: Record<ErrorCode, string> = {
  invalid: "The request is not valid",
  unauthorized: "Sign in first",
  forbidden: "Not allowed",
  not_found: "Not found",
  conflict: "In conflict with what is there",
  too_large: "Too large",
  unsupported: "Not supported",
  busy: "Busy, try again",
  storage_full: "The storage is full",
  unavailable: "Not available now",
  internal: "Something went wrong inside",
};
const INTERNAL_DETAIL = "The server's log says more.";

export function problemOf(error: unknown): Problem {
  const code = errorCode(error);
  const detail = error instanceof CoalmineError ? error.message : INTERNAL_DETAIL;
  return { type: `urn:coalmine:problem:${code}`, title: TITLE[code], status: ERROR_STATUS[code], code, detail };
}

/** The answer to a failed call; `headers` join those of the problem. */
export function problemResponse(error: unknown, headers: Record<string, string> = {}): Response {
  const problem = problemOf(error);
  const all = new Headers({ ...headers, "content-type": "application/problem+json", "cache-control": "no-store" });
  if (error instanceof CoalmineError && error.retryAfterS !== undefined) {
    all.set("retry-after", String(Math.ceil(error.retryAfterS)));
  }
  if (problem.code === "unauthorized") all.set("www-authenticate", 'Bearer realm="coalmine"');
  return new Response(JSON.stringify(problem), { status: problem.status, headers: all });
}
