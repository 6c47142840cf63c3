/** One measured HTTP request. A failed probe is a result, never an exception. */

/** Milliseconds each step took; null when it did not happen (a reused socket neither resolves nor connects). */
export interface Phases {
  /** From asking until a socket was at hand or began to be made. */
  queue: number | null;
  resolve: number | null;
  connect: number | null;
  tls: number | null;
  write: number | null;
  /** From the last byte written to the answer's head. */
  firstByte: number | null;
  /** From the head to the end of the body (or to the terminal event of a stream). */
  transfer: number | null;
}

export const PHASE_NAMES = ["queue", "resolve", "connect", "tls", "write", "firstByte", "transfer"] as const;

export interface ProbeRecord {
  /** The `X-Request-ID` that was sent. */
  id: string;
  operation: string;
  method: string;
  path: string;
  profile: string;
  /** Epoch ms. */
  startedAt: number;
  totalMs: number;
  phases: Phases;
  socket: { localPort: number | null; reused: boolean | null; idleMs: number | null };
  status: number | null;
  /** Bytes of the answer read from the socket, head included. */
  bytesRead: number;
  /** Stable error code (`UND_ERR_SOCKET`, `ECONNRESET`, `TIMEOUT`, `TOO_LARGE`, …); null when an answer came. */
  code: string | null;
  message: string | null;
  /** TCP connects tried again before this one; nothing else is ever retried. */
  connectRetries: number;
  /** Longest delay of our own event loop meanwhile, in ms. */
  loopDelayMs: number;
  /** Our own trouble, not the target's: left out of every rate, visibly. */
  ownFault: boolean;
}

export interface Answer {
  record: ProbeRecord;
  /** Up to the limit asked for; empty when no answer came. */
  body: string;
  headers: Record<string, string>;
}

/** The canary's own codes, beside those of undici and the system. */
export const TIMEOUT = "TIMEOUT";
export const CANCELLED = "CANCELLED";
export const TOO_LARGE = "TOO_LARGE";
/** The exec stream ended without a terminal event. */
export const NO_TERMINAL_EVENT = "NO_TERMINAL_EVENT";
/** The command's own output did not come back: something else answered. */
export const NONCE_MISSING = "NONCE_MISSING";
/** A sandbox was made and is still there after its delete. */
export const LEAK = "LEAK";

/** Our own machine has no way out, or we gave up ourselves: the target is not to blame. */
export const OWN_CODES: ReadonlySet<string> = new Set([
  "ENETUNREACH",
  "ENETDOWN",
  "EMFILE",
  "ENFILE",
  "EADDRNOTAVAIL",
  CANCELLED,
]);

/** Above this delay of our own event loop a probe's times are not the target's. */
export const OWN_FAULT_DELAY_MS = 50;
