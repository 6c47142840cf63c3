/** What OpenSandbox's answers say, read with care: whatever is missing or of another type is null. Pure. */
import { textMap } from "./endpoint";
import type { Answer } from "./probe";
import { isRecord } from "./problem";

export interface Listed {
  id: string;
  metadata: Record<string, string>;
  /** As the server writes them, RFC 3339. */
  createdAt: string | null;
  expiresAt: string | null;
}

/** The items of one page; those without an id are left out. */
export function listedIn(items: readonly unknown[]): Listed[] {
  return items.flatMap((item) => {
    if (!isRecord(item) || typeof item.id !== "string") return [];
    const times = { createdAt: textOrNull(item.createdAt), expiresAt: textOrNull(item.expiresAt) };
    return [{ id: item.id, metadata: textMap(item.metadata), ...times }];
  });
}

/** A refusal made nothing; a lost or broken answer says nothing about what was made. */
export function mayExist(status: number | null, json: Record<string, unknown> | null): boolean {
  if (status === null) return true;
  if (status < 300) return typeof json?.id !== "string";
  return status >= 500 && status !== 503;
}

export function stateOf(json: Record<string, unknown> | null): string | null {
  const status = json?.status;
  return isRecord(status) && typeof status.state === "string" ? status.state : null;
}

/** `Retry-After` in seconds; null when absent or a date. */
export function retryAfterOf(answer: Answer): number | null {
  const text = answer.headers["retry-after"];
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
