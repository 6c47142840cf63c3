/** Bootstraps over the tasks of a run: reward and pass@1, and its rate of infrastructure failures. */
import type { Rate } from "@/server/domain/rate";
import type { RolloutCount, RolloutDim } from "@/server/domain/store";
import { DEFAULT_SEED } from "@/server/stats/bootstrap";
import { clusteredRate } from "@/server/stats/design-effect";
import type { HeavyWork } from "./heavy-work";
import { type RunScores, runScores, type TaskCell } from "./run-scores";
import { dimOf, tallyBy } from "./tally";

const TASK: RolloutDim[] = ["task", "verdict"];
const TASK_FAMILY: RolloutDim[] = ["task", "verdict", "family"];

/** `labels` are the run's. */
export async function runScoresOf(work: HeavyWork, { labels }: { labels: string[] }): Promise<RunScores> {
  const cells = taskCells(await work.store.countRollouts({ runs: labels }, TASK));
  return work.keeper.kept("run-scores", cells, runScores);
}

/** The run's rate with the interval that attempts of one task being alike ask for; null without a finished rollout. */
export async function taskRate(
  work: HeavyWork,
  { labels }: { labels: string[] },
): Promise<{ rate: Rate; method: string } | null> {
  const counted = await work.store.countRollouts({ runs: labels }, TASK_FAMILY);
  const rows = counted.filter((row) => dimOf(row, TASK_FAMILY, "verdict") !== null);
  const tasks = [...tallyBy(rows, TASK_FAMILY, "task").values()].map(({ infraFailed, finished }) => ({
    k: infraFailed,
    n: finished,
  }));
  return work.keeper.kept("task-rate", tasks, (input) => clusteredRate(input, DEFAULT_SEED));
}

function taskCells(rows: readonly RolloutCount[]): TaskCell[] {
  const cells = new Map<string, TaskCell>();
  for (const row of rows) {
    const verdict = dimOf(row, TASK, "verdict");
    if (verdict !== "passed" && verdict !== "failed" && verdict !== "infra_failed") continue;
    const task = dimOf(row, TASK, "task") ?? "";
    const cell = cells.get(task) ?? emptyCell(task);
    cells.set(task, cell);
    const lost = verdict === "infra_failed";
    cell.scored += row.n;
    cell.passed += verdict === "passed" ? row.n : 0;
    cell.infraFailed += lost ? row.n : 0;
    cell.rewarded += row.rewarded;
    cell.rewardSum += row.rewardSum;
    cell.infraRewarded += lost ? row.rewarded : 0;
    cell.infraRewardSum += lost ? row.rewardSum : 0;
  }
  return [...cells.values()];
}

function emptyCell(task: string): TaskCell {
  return { task, scored: 0, passed: 0, infraFailed: 0, rewarded: 0, rewardSum: 0, infraRewarded: 0, infraRewardSum: 0 };
}
