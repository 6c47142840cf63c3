/** How many of the lost rollouts a change would bring back, and what that is worth in pass@1. */
import { wilson } from "@/server/stats/proportion";
import type { Estimated, FindingInput, WinBack } from "./finding";

/**
 * `fixable` of the `lost` rollouts of a cause show what the change takes away. Null when nothing was lost.
 * Rollouts: Wilson's 95 % interval of fixable ÷ lost, times lost. Points: rollouts ÷ finished, times pass@1 of the
 * rollouts that infrastructure left alone.
 */
export function winBack(
  fixable: number,
  lost: number,
  input: Pick<FindingInput, "finished" | "passAt1">,
): WinBack | null {
  const share = wilson(fixable, lost);
  if (share === null || fixable === 0) return null;
  const rollouts = { estimate: fixable, low: share.low * lost, high: share.high * lost };
  const formula = `${fixable} of ${lost} lost rollouts of this cause show it; Wilson 95 % interval of that share × ${lost}`;
  return withPoints(rollouts, formula, input);
}

/** The same for rollouts estimated in another way. */
export function withPoints(
  rollouts: Estimated,
  formula: string,
  { finished, passAt1 }: Pick<FindingInput, "finished" | "passAt1">,
): WinBack {
  if (passAt1 === null || finished === 0) return { rollouts, passAt1Points: null, formula: `${formula}.` };
  const points = (n: number): number => (n / finished) * passAt1 * 100;
  return {
    rollouts,
    passAt1Points: { estimate: points(rollouts.estimate), low: points(rollouts.low), high: points(rollouts.high) },
    formula: `${formula}; points = rollouts ÷ ${finished} finished × pass@1 of the rollouts that were left alone.`,
  };
}
