/** Everything that can be switched on to go wrong in a stand-in fleet. */
export interface Faults {
  /** The exec daemon answers this long after create only. */
  bindDelayMs: number;
  createDelayMs: number;
  /** Creates wait until it resolves; null = none does. */
  createHeld: Promise<void> | null;
  /** Creates answer with this status and body until `until` creates were refused. */
  createStorm: { status: number; body: unknown; retryAfterS?: number; until: number } | null;
  /** The create makes its sandbox and hangs up instead of answering. */
  loseCreateAnswer: boolean;
  /** Every command on these nodes meets a 502. */
  badNodes: string[];
  /** Error bodies as old servers write them (no machine code). */
  oldBodies: boolean;
  /** DELETE answers well and never removes. */
  stuckDelete: boolean;
  /** DELETE answers 500 this many times. */
  failDeletes: number;
  /** No diagnostics routes. */
  noInspect: boolean;
  /** Memory limit in bytes above which a command's sandbox is OOM-killed; null = none. */
  memoryLimitBytes: number | null;
  /** The state message does not say OOM (older servers). */
  silentOom: boolean;
  /** Streams end without their terminal event. */
  cutStreams: boolean;
  /** Commands answer well, with the output of another one. */
  wrongOutput: boolean;
  /** Every call but /health is redirected there. */
  redirectTo: string | null;
}

export const NO_FAULTS: Faults = {
  bindDelayMs: 0,
  createDelayMs: 0,
  createHeld: null,
  createStorm: null,
  loseCreateAnswer: false,
  badNodes: [],
  oldBodies: false,
  stuckDelete: false,
  failDeletes: 0,
  noInspect: false,
  memoryLimitBytes: null,
  silentOom: false,
  cutStreams: false,
  wrongOutput: false,
  redirectTo: null,
};
