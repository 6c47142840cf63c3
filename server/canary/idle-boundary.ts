/**
 * Finds a server's idle timeout: a few sockets are answered once and then watched for the peer's FIN; the earliest is the
 * boundary. Where none comes, sockets are used again after a ladder of gaps, which also finds balancers that drop in silence.
 */
import { performance } from "node:perf_hooks";
import { letGo, watchLoop } from "./loop-delay";
import { pause } from "./pause";
import type { ProbeRecord } from "./probe";
import type { TransportProfile } from "./profile";
import type { SocketLife } from "./socket-watch";
import { type ProbeRequest, Transport } from "./transport";

export interface BoundaryOptions {
  origin: string;
  request: ProbeRequest;
  /** Sockets watched (default 3). */
  sockets: number;
  /** Seconds watched at most; also the longest gap tried. */
  limitS: number;
  signal?: AbortSignal;
  /** Once a second. */
  onProgress?: (step: { text: string; elapsedS: number }) => void;
}

export interface Boundary {
  /** Seconds of idleness after which the peer ends a socket; null when it outlives the limit. */
  boundaryS: number | null;
  /** ± seconds. */
  precisionS: number | null;
  how: "fin" | "reset" | "silent" | "none" | "unreachable";
  /** `Keep-Alive: timeout=` as the server advertises it, in seconds. */
  advertisedS: number | null;
  /** Idle seconds at which each watched socket was ended, ascending. */
  seenS: number[];
  /** Watched sockets that our own loop was late for. */
  leftOut: number;
  /** Reuse tries of the ladder, by gap. */
  tries: { gapS: number; ok: boolean; code: string | null }[];
  probes: ProbeRecord[];
  /** Largest client expiry that stays clear of it: 0.6 × boundary. */
  adviceS: number | null;
}

/** Idle seconds after which reuse last went well, and after which it first failed. */
interface Bracket {
  low: number;
  high: number;
}

/** FINs are timed on our own clock to a few ms; what is between socket and clock is loop delay. */
const FIN_PRECISION_S = 0.02;
const LOOK_MS = 50;
const OTHERS_MS = 1_400;
const LADDER_S = [1, 2, 4, 8, 16, 32, 64, 128, 256];
/** Gaps tried at once inside a bracket: each round narrows it eightfold. */
const RUNGS = 8;
const TARGET_PRECISION_S = 0.25;

/** Sockets are kept far beyond the limit, so that only the peer ends them. */
const watcher = (limitS: number): TransportProfile => ({
  name: "watch",
  keepaliveExpiryS: limitS + 60,
  connections: 1,
  connectRetries: 2,
  connectTimeoutMs: 10_000,
});

export async function findIdleBoundary(options: BoundaryOptions): Promise<Boundary> {
  const probes: ProbeRecord[] = [];
  const result = await watchForEnd(options, probes);
  if (result.how !== "none") return result;
  return bisect(options, probes, result);
}

/** Sockets that are answered once and then left alone. */
async function watchForEnd(options: BoundaryOptions, probes: ProbeRecord[]): Promise<Boundary> {
  const loop = watchLoop();
  const transports = Array.from(
    { length: options.sockets },
    () => new Transport(options.origin, watcher(options.limitS)),
  );
  try {
    const answers = await Promise.all(transports.map((transport) => transport.send(options.request)));
    probes.push(...answers.map((answer) => answer.record));
    const advertisedS = advertised(answers.map((answer) => answer.headers["keep-alive"]));
    if (answers.every((answer) => answer.record.status === null))
      return { ...nothing(probes, advertisedS), how: "unreachable" };
    const idle = transports.map((transport) => transport.sockets.find((life) => life.requests > 0));
    await untilEnded(
      idle.flatMap((life) => life ?? []),
      options,
    );
    const ends = idle.flatMap((life, i) => {
      if (!life || life.endedAt === null || life.lastDoneAt === null) return [];
      const lateMs = Math.max(answers[i]?.record.loopDelayMs ?? 0, loop.around(life.endedAt));
      return { idleS: (life.endedAt - life.lastDoneAt) / 1000, lateMs, reset: life.reset };
    });
    return boundaryOf(ends, nothing(probes, advertisedS));
  } finally {
    letGo(loop);
    await Promise.all(transports.map((transport) => transport.close()));
  }
}

function nothing(probes: ProbeRecord[], advertisedS: number | null): Boundary {
  const unknown = { boundaryS: null, precisionS: null, adviceS: null };
  return { ...unknown, how: "none", advertisedS, seenS: [], leftOut: 0, tries: [], probes };
}

/** Until all have ended, the limit, or a little after the first end: the others share the timeout. */
async function untilEnded(lives: readonly SocketLife[], options: BoundaryOptions): Promise<void> {
  const started = performance.now();
  let toldS = -1;
  for (;;) {
    const elapsedS = (performance.now() - started) / 1000;
    const first = Math.min(...lives.map((life) => life.endedAt ?? Number.POSITIVE_INFINITY));
    const all = lives.every((life) => life.endedAt !== null);
    const over = elapsedS >= options.limitS + 1 || performance.now() - first > OTHERS_MS;
    // One more look's time, so that our own loop's delay around the last end is known.
    await pause(LOOK_MS, options.signal);
    if (all || over || options.signal?.aborted) return;
    if (Math.floor(elapsedS) > toldS) options.onProgress?.({ text: "watching idle sockets", elapsedS });
    toldS = Math.floor(elapsedS);
  }
}

/** One watched socket's end. */
interface End {
  idleS: number;
  /** How late our own loop was at its answer or its end, ms. */
  lateMs: number;
  reset: boolean;
}

/** The earliest end is the boundary. Sockets that our own loop was late for are left out, unless there is no other. */
export function boundaryOf(ends: readonly End[], base: Boundary): Boundary {
  const inTime = ends.filter((end) => end.lateMs <= FIN_PRECISION_S * 1000);
  const counted = [...(inTime.length > 0 ? inTime : ends)].sort((a, b) => a.idleS - b.idleS);
  const first = counted[0];
  if (first === undefined) return base;
  return {
    ...base,
    boundaryS: first.idleS,
    precisionS: Math.max(FIN_PRECISION_S, Math.round(first.lateMs) / 1000),
    how: counted.some((end) => end.reset) ? "reset" : "fin",
    seenS: counted.map((end) => end.idleS),
    leftOut: ends.length - counted.length,
    adviceS: advice(first.idleS),
  };
}

/** Reuse after growing gaps; the first that fails brackets the boundary, and rungs inside the bracket narrow it. */
async function bisect(options: BoundaryOptions, probes: ProbeRecord[], base: Boundary): Promise<Boundary> {
  const tries: Boundary["tries"] = [];
  const gaps = [...LADDER_S.filter((gap) => gap < options.limitS), options.limitS];
  let bracket: Bracket | null = await firstFailure(options, gaps, probes, tries);
  if (!bracket) return { ...base, tries };
  while (bracket.high - bracket.low > TARGET_PRECISION_S && !options.signal?.aborted) {
    const { low, high }: Bracket = bracket;
    const rungs: number[] = Array.from({ length: RUNGS }, (_, i) => low + ((high - low) * (i + 1)) / RUNGS);
    const narrower: Bracket | null = await firstFailure(options, rungs, probes, tries);
    bracket = narrower ? { low: Math.max(low, narrower.low), high: narrower.high } : { low: rungs.at(-2) ?? low, high };
  }
  const boundaryS = bracket.high;
  return {
    ...base,
    tries,
    boundaryS,
    precisionS: (bracket.high - bracket.low) / 2,
    how: "silent",
    adviceS: advice(boundaryS),
  };
}

/** Tries all gaps at once, each on its own socket, and stops waiting at the shortest that fails. */
async function firstFailure(
  options: BoundaryOptions,
  gaps: number[],
  probes: ProbeRecord[],
  tries: Boundary["tries"],
): Promise<Bracket | null> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([stop.signal, options.signal]) : stop.signal;
  const outcomes = new Map<number, boolean>();
  await Promise.all(
    gaps.map(async (gap) => {
      const outcome = await reuseAfter(options, gap, signal, probes);
      if (outcome === null) return;
      outcomes.set(gap, outcome.ok);
      tries.push({ gapS: gap, ...outcome });
      // Longer gaps can only fail too, shorter ones have been answered or are about to be.
      if (!outcome.ok) setTimeout(() => stop.abort(), 0);
    }),
  );
  const failed = gaps.filter((gap) => outcomes.get(gap) === false);
  if (failed.length === 0) return null;
  const high = Math.min(...failed);
  const below = gaps.filter((gap) => gap < high && outcomes.get(gap) === true);
  return { low: below.length ? Math.max(...below) : 0, high };
}

async function reuseAfter(
  options: BoundaryOptions,
  gapS: number,
  signal: AbortSignal,
  probes: ProbeRecord[],
): Promise<{ ok: boolean; code: string | null } | null> {
  const transport = new Transport(options.origin, watcher(options.limitS));
  try {
    const first = await transport.send(options.request);
    if (first.record.status === null) return null;
    const deadlineMs = Math.max(2_000, first.record.totalMs * 10);
    await pause(gapS * 1000, signal);
    if (signal.aborted) return null;
    const { record } = await transport.send({
      ...options.request,
      deadlineMs: Math.min(deadlineMs, options.request.deadlineMs),
    });
    probes.push(record);
    if (record.ownFault || record.socket.reused === false) return null;
    return { ok: record.status !== null, code: record.code };
  } finally {
    await transport.close();
  }
}

function advice(boundaryS: number): number {
  return Math.round(boundaryS * 0.6 * 10) / 10;
}

function advertised(headers: readonly (string | undefined)[]): number | null {
  const seconds = headers.flatMap((header) => /timeout=(\d+)/.exec(header ?? "")?.[1] ?? []);
  return seconds[0] === undefined ? null : Number(seconds[0]);
}
