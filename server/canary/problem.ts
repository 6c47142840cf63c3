/** What an answer says went wrong: old and new error bodies, validation bodies, plain text, or nothing but a status. */
import type { Answer } from "./probe";
import type { ProbeProblem } from "./probe-evidence";

const MAX_MESSAGE = 500;

/** The transport's own code where the answer did not come whole, else the error body's, else the bare status. */
export function problemOf(answer: Answer): ProbeProblem {
  const { record, body } = answer;
  if (record.code !== null) return { code: record.code, message: record.message };
  const json = asRecord(body);
  const said = json?.message ?? json?.detail ?? json?.error;
  const message = said === undefined ? body.slice(0, MAX_MESSAGE) : asText(said);
  return {
    code: typeof json?.code === "string" ? json.code : null,
    message: message === "" ? `HTTP ${record.status}` : message,
  };
}

/** FastAPI's own body nests the normalised one as `detail` on some paths. */
function asText(said: unknown): string {
  if (typeof said === "string") return said.slice(0, MAX_MESSAGE);
  return JSON.stringify(said).slice(0, MAX_MESSAGE);
}

export function asRecord(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
