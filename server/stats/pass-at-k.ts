/** pass@k: would at least one of k attempts have passed? The unbiased estimator of Chen et al. 2021 (Codex). */
import { CoalmineError } from "@/server/domain/errors";
import type { Mean } from "@/server/domain/rate";
import { bootstrapOverTasks } from "./bootstrap";
import { requireCounts } from "./proportion";

/** One task's rollouts. */
export interface TaskPasses {
  n: number;
  passed: number;
}

export interface PassAtK {
  k: number;
  /** Mean over the tasks with at least k rollouts; null when there is none. */
  mean: Mean | null;
  /** Tasks with fewer than k rollouts: they say nothing about k attempts, and are not in the mean. */
  leftOut: number;
}

/** `1 − C(n−c, k) / C(n, k)`; null with fewer than k rollouts. Throws `invalid` on a non-count or k < 1. */
export function passAtK(n: number, passed: number, k: number): number | null {
  requireCounts(passed, n);
  if (!Number.isSafeInteger(k) || k < 1) throw new CoalmineError("invalid", `pass@${k} needs a whole k ≥ 1`);
  if (n < k) return null;
  if (n - passed < k) return 1;
  let noneOfK = 1;
  for (let i = n - passed + 1; i <= n; i++) noneOfK *= 1 - k / i;
  return 1 - noneOfK;
}

/** Average of pass@k over tasks, with its bootstrap interval over tasks. */
export function passAtKOverTasks(tasks: readonly TaskPasses[], k: number, seed: number): PassAtK {
  const values = tasks.map((task) => passAtK(task.n, task.passed, k)).filter((value) => value !== null);
  const totals = values.map((value) => ({ sum: value, n: 1 }));
  return { k, mean: bootstrapOverTasks(totals, "meanOfTaskMeans", seed), leftOut: tasks.length - values.length };
}
