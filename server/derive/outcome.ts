/** What became of a failed operation (taxonomy.md §3.4): fatal, absorbed, teardown, or unknown when nothing says. */
import type { Observation } from "@/server/domain/facts";
import type { RolloutRecord } from "@/server/domain/rollout";
import type { Outcome } from "@/server/domain/taxonomy-words";
import { type PassRule, passed } from "./attempts";
import type { Chain } from "./chains";

/** Typed errors that a harness raises only when it gives up: the budget of retries is spent. */
const GIVE_UP = new Set([
  "SandboxBackendUnreachableError",
  "SandboxEndedError",
  "OpenSandboxCreateError",
  "OpenSandboxCreateTimeoutError",
  "OpenSandboxCreateVerificationError",
  "EnvironmentStartTimeoutError",
]);

/** Faults after which the sandbox is no more: a rollout that ends without passing was ended by them. */
const ENDS_SANDBOX = new Set([
  "pod.oom_killed",
  "pod.evicted",
  "pod.killed_unknown",
  "node.not_ready",
  "node.shutdown",
  "proxy.backend_dead",
  "control.sandbox_gone",
]);

export interface OutcomeInput {
  chain: Chain;
  /** Records of attempts that ended (`kind: finished`) on the same subject. */
  finished: readonly Observation[];
  rollout: RolloutRecord | null;
  rule: PassRule;
}

/** The outcome before later attempts are looked at. */
export function outcomeOf({ chain, finished, rollout, rule }: OutcomeInput): Outcome {
  if (isTeardown(chain, finished, rollout)) return "teardown";
  if (rollout && passed(rollout, rule)) return "absorbed";
  // What the record itself says was tried again did not end it, however it ended.
  if (chain.failures.every(retriedInRecord)) return "absorbed";
  if (chain.failures.some(saysSo)) return "fatal";
  if (chain.success) return "absorbed";
  // A cumulative counter of retries counts what was tried again until it went.
  if (chain.failures.every((failure) => failure.evidence.kind === "counter")) return "absorbed";
  if (chain.failures.some(createEnded) || spentOnDead(chain)) return "fatal";
  const end = endAfter(chain, finished);
  if (end) return isBadEnd(end) ? "fatal" : "absorbed";
  if (chain.failures.every((failure) => failure.evidence.kind === "retry")) return "absorbed";
  if (rollout && ENDS_SANDBOX.has(chain.class) && !endedBefore(chain, rollout, GRADING_MS)) return "fatal";
  return "unknown";
}

function retriedInRecord({ evidence }: Observation): boolean {
  return evidence.layer === "record" && evidence.kind === "retry";
}

/** A rollout record, a typed give-up error, or a spent budget. */
function saysSo(failure: Observation): boolean {
  const { layer, kind, errorType, attempt, maxAttempts, producerClass } = failure.evidence;
  if (layer === "record") return kind !== "retry";
  if (kind !== "error" || layer !== "harness") return false;
  if (errorType !== undefined && GIVE_UP.has(errorType)) return true;
  if (attempt !== undefined && maxAttempts !== undefined && attempt >= maxAttempts) return true;
  return producerClass === "sandbox";
}

/** The harness's own word that a create came to nothing: no rollout could begin. */
function createEnded(failure: Observation): boolean {
  const { layer, kind, phase } = failure.evidence;
  return layer === "harness" && kind === "error" && phase === "create";
}

/** Operations that are sent to a sandbox that is no more, one after the other, use up the rollout's budget. */
const SPENT_FROM = 3;

function spentOnDead(chain: Chain): boolean {
  const operations = new Set(chain.failures.flatMap((failure) => failure.evidence.operationId ?? []));
  return ENDS_SANDBOX.has(chain.class) && operations.size >= SPENT_FROM;
}

function isTeardown(chain: Chain, finished: readonly Observation[], rollout: RolloutRecord | null): boolean {
  if (chain.class.startsWith("cleanup.")) return true;
  if (chain.failures.every((failure) => failure.evidence.phase === "teardown")) return true;
  if (chain.failures.some((failure) => failure.evidence.layer === "record")) return false;
  const first = chain.failures[0]?.at ?? null;
  if (first === null) return false;
  const end = finished
    .filter((f) => f.at !== null)
    .sort((a, b) => (a.at as number) - (b.at as number))
    .at(-1);
  if (end?.at != null && first > end.at) return true;
  return rollout !== null && endedBefore(chain, rollout, GRADING_MS) && rollout.error === null;
}

/** Many producers only stamp the last model call; the sandbox is graded after it. */
const GRADING_MS = 600_000;

/** The record ended, by its own clock and with time for grading, before the failure: what failed then was the clean-up. */
function endedBefore(chain: Chain, rollout: RolloutRecord, graceMs: number): boolean {
  const first = chain.failures[0]?.at ?? null;
  return first !== null && rollout.endedAt !== null && first > rollout.endedAt + graceMs;
}

function endAfter(chain: Chain, finished: readonly Observation[]): Observation | null {
  const last = chain.failures.at(-1);
  if (!last) return null;
  const after = finished.filter((f) => (f.at !== null && last.at !== null ? f.at >= last.at : f.line > last.line));
  return after.sort((a, b) => (a.at ?? 0) - (b.at ?? 0))[0] ?? null;
}

function isBadEnd(end: Observation): boolean {
  const status = end.evidence.finishedStatus?.toLowerCase();
  return status === "error" || status === "failed" || status === "crashed" || status === "exception";
}
