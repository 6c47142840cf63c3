/** Reward three ways, always together: as reported, infrastructure excluded, and the bounds (statistics.md §1). Pure. */
import type { Mean } from "@/server/domain/rate";
import { bootstrapOverTasks, DEFAULT_SEED, type MeanKind, type TaskTotal } from "@/server/stats/bootstrap";

/** The effective, scored rollouts of one task: those set aside without a score have none to average. */
export interface TaskCell {
  task: string;
  scored: number;
  passed: number;
  infraFailed: number;
  /** Rollouts with a reward, and its sum; the same of those that infrastructure ended. */
  rewarded: number;
  rewardSum: number;
  infraRewarded: number;
  infraRewardSum: number;
}

export interface RunScores {
  /** Mean over tasks of each task's mean; `n` counts tasks. */
  passAt1: { asReported: Mean | null; infraExcluded: Mean | null; bounds: [number, number] | null };
  /** Mean over rollouts that carry a reward; `n` counts rollouts. */
  meanReward: { asReported: Mean | null; infraExcluded: Mean | null };
}

export function runScores(cells: readonly TaskCell[]): RunScores {
  const honest = cells.map((cell) => ({ sum: cell.passed, n: cell.scored - cell.infraFailed }));
  const asReported = cells.map((cell) => ({ sum: cell.passed, n: cell.scored }));
  return {
    passAt1: {
      asReported: mean(asReported, "meanOfTaskMeans"),
      infraExcluded: mean(honest, "meanOfTaskMeans"),
      bounds: bounds(cells),
    },
    meanReward: {
      asReported: mean(
        cells.map((cell) => ({ sum: cell.rewardSum, n: cell.rewarded })),
        "meanOverRollouts",
      ),
      infraExcluded: mean(
        cells.map((cell) => ({ sum: cell.rewardSum - cell.infraRewardSum, n: cell.rewarded - cell.infraRewarded })),
        "meanOverRollouts",
      ),
    },
  };
}

function mean(tasks: TaskTotal[], kind: MeanKind): Mean | null {
  return bootstrapOverTasks(tasks, kind, DEFAULT_SEED);
}

/** pass@1 if every lost rollout had failed, and if every one had passed. */
function bounds(cells: readonly TaskCell[]): [number, number] | null {
  const scored = cells.filter((cell) => cell.scored > 0);
  if (scored.length === 0) return null;
  const share = (infraAs: 0 | 1) =>
    scored.reduce((sum, cell) => sum + (cell.passed + infraAs * cell.infraFailed) / cell.scored, 0) / scored.length;
  return [share(0), share(1)];
}
