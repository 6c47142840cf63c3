/** Error codes of the product and their HTTP status live here; `server/http` maps nothing else. */
export const ERROR_STATUS = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  busy: 429,
  storage_full: 507,
  unavailable: 503,
  internal: 500,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

/** Next.js builds several module graphs, each with a class of its own: what one throws another must know. */
const BRAND = Symbol.for("coalmine.error");

/** An expected failure: its message is written for the user and may be shown. */
export class CoalmineError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && BRAND in value;
  }
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  /** Seconds after which the same call may succeed; sent as Retry-After. */
  readonly retryAfterS: number | undefined;
  constructor(code: ErrorCode, message: string, options: { retryAfterS?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "CoalmineError";
    this.code = code;
    this.retryAfterS = options.retryAfterS;
  }
}

/** The code of any thrown thing; what we did not expect is `internal`, and its text is not for users. */
export function errorCode(error: unknown): ErrorCode {
  return error instanceof CoalmineError ? error.code : "internal";
}
