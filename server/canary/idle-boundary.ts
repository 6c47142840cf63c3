/**
 * Finds a server's idle timeout: a few sockets are answered once and then watched for the peer's FIN; the earliest is the
 * boundary. Where none comes, sockets are used again after a ladder of gaps, which also finds balancers that drop in silence.
 */
import { performance } from "node:perf_hooks";
import { letGo, watchLoop } from "./loop-delay";
import { pause } from "./pause";
import type { ProbeRecord } from "./probe";
import type { TransportProfile } from "./profile";
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
  /** Idle seconds at which each watched socket was ended. */
  seenS: number[];
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
const LOOK_BACK_MS = 200;
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

async function watchForEnd(options: BoundaryOptions, probes: ProbeRecord[]): Promise<Boundary> {
  const loop = watchLoop();
  const transports = Array.from(
    { length: options.sockets },
    () => new Transport(options.origin, watcher(options.limitS)),
  );
  const answers = await Promise.all(transports.map((transport) => transport.send(options.request)));
  probes.push(...answers.map((answer) => answer.record));
  const advertisedS = advertised(answers.map((answer) => answer.headers["keep-alive"]));
  const base: Boundary = {
    boundaryS: null,
    precisionS: null,
    how: "none",
    advertisedS,
    seenS: [],
    tries: [],
    probes,
    adviceS: null,
  };
  if (answers.every((answer) => answer.record.status === null)) {
    letGo(loop);
    await Promise.all(transports.map((transport) => transport.close()));
    return { ...base, how: "unreachable" };
  }
  const lives = transports.flatMap((transport) => transport.sockets.filter((life) => life.requests > 0));
  const started = performance.now();
  let toldS = -1;
  while (!options.signal?.aborted && (performance.now() - started) / 1000 < options.limitS + 1) {
    if (lives.every((life) => life.endedAt !== null)) break;
    const first = Math.min(...lives.map((life) => life.endedAt ?? Number.POSITIVE_INFINITY));
    // The others share the timeout: what has not ended two seconds later was kept for another reason.
    if (performance.now() - first > 1_500) break;
    const elapsedS = Math.floor((performance.now() - started) / 1000);
    if (elapsedS > toldS) options.onProgress?.({ text: "watching idle sockets", elapsedS });
    toldS = elapsedS;
    await pause(50, options.signal);
  }
  const ended = lives.filter((life) => life.endedAt !== null && life.lastDoneAt !== null);
  const seenS = ended
    .map((life) => ((life.endedAt as number) - (life.lastDoneAt as number)) / 1000)
    .sort((a, b) => a - b);
  // What was late on our side around the first end, and the answer before it, is in the figure.
  const firstEnd = Math.min(...ended.map((life) => life.endedAt as number));
  const lateMs = ended.length > 0 ? loop.since(firstEnd - LOOK_BACK_MS) : 0;
  letGo(loop);
  await Promise.all(transports.map((transport) => transport.close()));
  const boundaryS = seenS[0] ?? null;
  if (boundaryS === null) return base;
  const how = ended.some((life) => life.reset) ? "reset" : "fin";
  const precisionS = Math.max(FIN_PRECISION_S, Math.round(lateMs) / 1000);
  return { ...base, boundaryS, precisionS, how, seenS, adviceS: advice(boundaryS) };
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
