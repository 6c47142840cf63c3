/** May this run go on, or pass? The infra rate against a maximum, honest at any look while the run is going. */
import { CoalmineError } from "@/server/domain/errors";
import type { Rate } from "@/server/domain/rate";
import { anytimeLowerBound, BETTING_SOURCE, logWealth } from "./betting";
import { percent } from "./percent";
import { wilson } from "./proportion";

export type GateVerdict = "pass" | "fail" | "inconclusive";

export interface GateInput {
  k: number;
  n: number;
  /** Largest infra rate allowed, as a fraction in (0, 1). */
  max: number;
  ended: boolean;
  /** Inconclusive counts as failed for the exit code. */
  strict?: boolean;
  /** The rate with its interval to judge an ended run by, when attempts of one task are alike; default Wilson's. */
  rate?: Rate;
}

export interface Gate {
  verdict: GateVerdict;
  /** 0 pass, 1 fail, 2 inconclusive (1 when strict). */
  exitCode: 0 | 1 | 2;
  max: number;
  ended: boolean;
  rate: Rate | null;
  /** Lower bound that holds at every look of a live run; `reached` = it passes the maximum. */
  anytime: { low: number; reached: boolean; alpha: number; method: string };
  sentence: string;
}

export const GATE_ALPHA = 0.05;

/**
 * A live run fails as soon as the anytime-valid bound passes the maximum, and cannot pass yet. An ended run is judged by
 * its fixed interval. The bound holds as long as each rollout that finishes is no likelier to be lost than the maximum, whatever
 * finished before it: rollouts that fail finish early, so the first minutes of a run can look worse than it is.
 * Throws `invalid` on a non-count or a maximum outside (0, 1).
 */
export function gate(input: GateInput): Gate {
  const { k, n, max, ended } = input;
  if (!(max > 0 && max < 1))
    throw new CoalmineError("invalid", `a maximum infra rate of ${max} must lie between 0 and 1`);
  const rate = input.rate ?? wilson(k, n);
  const low = anytimeLowerBound(k, n, GATE_ALPHA);
  const reached = logWealth(k, n, max) >= -Math.log(GATE_ALPHA);
  const verdict = ended ? fixedVerdict(rate, max) : reached ? "fail" : "inconclusive";
  const exitCode = verdict === "pass" ? 0 : verdict === "fail" || input.strict === true ? 1 : 2;
  const anytime = { low, reached, alpha: GATE_ALPHA, method: BETTING_SOURCE };
  return { verdict, exitCode, max, ended, rate, anytime, sentence: sentenceOf(verdict, rate, low, max, ended) };
}

function fixedVerdict(rate: Rate | null, max: number): GateVerdict {
  if (rate === null) return "inconclusive";
  if (rate.high <= max) return "pass";
  return rate.low > max ? "fail" : "inconclusive";
}

function sentenceOf(verdict: GateVerdict, rate: Rate | null, low: number, max: number, ended: boolean): string {
  if (rate === null) return "No rollout has finished.";
  const seen = `${rate.k} of ${rate.n} finished rollouts were lost to infrastructure (${percent(rate.value)}`;
  if (!ended) {
    const bound = `${seen}; at least ${percent(low)} whenever one looks)`;
    if (verdict === "fail") return `${bound}, above the allowed ${percent(max)}: stop.`;
    return `${bound}; the allowed ${percent(max)} is not shown to be passed so far.`;
  }
  const interval = `${seen}, ${percent(rate.low)} to ${percent(rate.high)})`;
  if (verdict === "pass") return `${interval}, within the allowed ${percent(max)}.`;
  if (verdict === "fail") return `${interval}, above the allowed ${percent(max)}.`;
  return `${interval}; too few to tell which side of the allowed ${percent(max)} it is on.`;
}
