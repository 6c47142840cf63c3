/** Which rollout attempt an incident belongs to, and whether the attempt passed. */
import type { RolloutRecord } from "@/server/domain/rollout";
import type { Chain } from "./chains";

/** Settings of the run that a verdict depends on. */
export interface PassRule {
  /** Reward from which a rollout without the producer's own boolean passed. */
  passAt: number;
}

export function passed(rollout: RolloutRecord, rule: PassRule): boolean {
  if (rollout.producerPassed !== null) return rollout.producerPassed;
  return rollout.reward !== null && rollout.reward >= rule.passAt;
}

/** Attempts of one group in the order they were made: attempt, then content hash (never success: a retry must not buy a pass). */
export function byAttempt(a: RolloutRecord, b: RolloutRecord): number {
  if (a.attempt !== b.attempt) return a.attempt - b.attempt;
  return a.content < b.content ? -1 : a.content > b.content ? 1 : 0;
}

/**
 * The rollout that a chain happened to: the one its own record names, else the only one of the subject, of its own run where that
 * is told, else the one running then.
 */
export function rolloutOfChain(
  chain: Chain,
  rollouts: readonly RolloutRecord[],
  own: ReadonlySet<string>,
): RolloutRecord | null {
  const named = new Set(
    chain.failures.flatMap((f) =>
      f.refs.filter((ref) => ref.startsWith("rollout:")).map((ref) => ref.slice(ref.indexOf("/") + 1)),
    ),
  );
  const known = rollouts.filter((rollout) => (named.size > 0 ? named.has(rollout.id) : own.has(rollout.id)));
  const runs = new Set(chain.failures.map((failure) => failure.run));
  const inRun = known.filter(({ run }) => run !== null && runs.has(run));
  const candidates = inRun.length > 0 ? inRun : known;
  if (candidates.length <= 1) return candidates[0] ?? null;
  const at = chain.failures[0]?.at ?? null;
  if (at === null) return sameGroupLast(candidates);
  const running = candidates.filter(
    (r) => (r.startedAt === null || r.startedAt <= at) && (r.endedAt === null || at <= r.endedAt + 60_000),
  );
  return running.length === 1 && running[0] ? running[0] : sameGroupLast(running.length > 0 ? running : candidates);
}

/** Of attempts at one rollout the last; attempts at different rollouts cannot be told apart. */
function sameGroupLast(candidates: readonly RolloutRecord[]): RolloutRecord | null {
  if (new Set(candidates.map((c) => c.group)).size !== 1) return null;
  return [...candidates].sort(byAttempt).at(-1) ?? null;
}

/** A later attempt at the same rollout that came through: what ended the earlier one is then absorbed. */
export function laterAttemptWent(
  rollout: RolloutRecord,
  rollouts: readonly RolloutRecord[],
  broken: ReadonlySet<string>,
): boolean {
  return rollouts.some(
    (other) =>
      other.group === rollout.group && other.attempt > rollout.attempt && other.scored && !broken.has(other.id),
  );
}
