/** The one way in which pages speak to `/api/v1`. */
import type { Problem } from "@/server/domain/answers";

export const API = "/api/v1";

export type Params = Record<string, string | number | boolean | readonly string[] | null | undefined>;

/** An answer that is no success: what the server said of it, or that it could not be reached (status 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Seconds after which the same call may succeed. */
  readonly retryAfterS: number | null;
  constructor(status: number, code: string, message: string, retryAfterS: number | null = null) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.retryAfterS = retryAfterS;
  }
}

/** `path` under the API with its query; lists are written with commas, what is null, undefined or empty is left out. */
export function apiUrl(path: string, params: Params = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    const text = Array.isArray(value) ? value.join(",") : value == null ? "" : String(value);
    if (text !== "") query.set(name, text);
  }
  const search = query.toString();
  return `${API}${path}${search === "" ? "" : `?${search}`}`;
}

/** Reads JSON. Throws `ApiError`. */
export async function getJson<T>(url: string, signal?: AbortSignal): Promise<T> {
  return (await send(url, { signal, headers: { accept: "application/json" } })).json() as Promise<T>;
}

/** Sends a change, with a JSON body if one is given. Null when the answer has no content. Throws `ApiError`. */
export async function change<T>(method: "POST" | "PUT" | "DELETE", url: string, body?: unknown): Promise<T | null> {
  const headers = { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) };
  const response = await send(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  return response.status === 204 ? null : ((await response.json()) as T);
}

/** A successful answer as it came. Throws `ApiError`. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, credentials: "same-origin" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "unreachable", "The server could not be reached.");
  }
  if (!response.ok) throw apiError(response.status, await response.text(), response.headers.get("retry-after"));
  return response;
}

/** The error that an answer's body tells of; a body that is no problem document keeps the status. */
export function apiError(status: number, body: string, retryAfter: string | null): ApiError {
  const after = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
  try {
    const problem = JSON.parse(body) as Partial<Problem>;
    if (typeof problem.code === "string") {
      return new ApiError(status, problem.code, problem.detail ?? problem.title ?? "The call failed.", after);
    }
  } catch {
    // Not JSON: an answer of something between the page and the server.
  }
  return new ApiError(status, "internal", `The server answered ${status}.`, after);
}
