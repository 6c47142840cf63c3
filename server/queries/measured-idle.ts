/** The server's idle timeout as our canaries saw it. Pure. */
import type { CanarySummary } from "@/server/domain/canary";

/**
 * Seconds after which the quickest target closes an idle socket, by the newest `idle-boundary` run of each target that
 * found one; null when none did. A run does not say which target it used, so the shortest is the safe one.
 */
export function measuredIdleS(runs: readonly CanarySummary[]): number | null {
  const newest = new Map<string, { at: string; seconds: number }>();
  for (const { plan, target, result, endedAt } of runs) {
    const seconds = result?.detail.boundaryS;
    if (plan !== "idle-boundary" || endedAt === null || typeof seconds !== "number") continue;
    const known = newest.get(target);
    if (known === undefined || known.at < endedAt) newest.set(target, { at: endedAt, seconds });
  }
  return newest.size === 0 ? null : Math.min(...[...newest.values()].map((one) => one.seconds));
}
