/** Which tasks were won and which were lost between two runs. */
import type { CompareAnswer, TaskMovement, TaskSide } from "./answer";
import type { ComparedRollout } from "./rollout-values";

/** Scored rollouts per task, as the producer counts: lost to infrastructure is not passed. */
function sides(rollouts: readonly ComparedRollout[]): Map<string, TaskSide> {
  const byTask = new Map<string, TaskSide>();
  for (const { task, verdict } of rollouts) {
    if (verdict === "not_scored" || verdict === "missing") continue;
    const side = byTask.get(task) ?? { rollouts: 0, passed: 0, infraFailed: 0 };
    byTask.set(task, side);
    side.rollouts += 1;
    side.passed += Number(verdict === "passed");
    side.infraFailed += Number(verdict === "infra_failed");
  }
  return byTask;
}

export function taskMovement(
  baseline: readonly ComparedRollout[],
  candidate: readonly ComparedRollout[],
): Pick<CompareAnswer, "tasks" | "movement"> {
  const [before, after] = [sides(baseline), sides(candidate)];
  const tasks: TaskMovement[] = [];
  for (const [task, a] of before) {
    const b = after.get(task);
    if (b === undefined) continue;
    const change = b.passed / b.rollouts - a.passed / a.rollouts;
    tasks.push({
      task,
      baseline: a,
      candidate: b,
      change,
      movement: change > 0 ? "won" : change < 0 ? "lost" : "same",
    });
  }
  tasks.sort((x, y) => Math.abs(y.change) - Math.abs(x.change) || (x.task < y.task ? -1 : 1));
  const count = (movement: TaskMovement["movement"]): number =>
    tasks.filter((task) => task.movement === movement).length;
  return {
    tasks,
    movement: {
      won: count("won"),
      lost: count("lost"),
      same: count("same"),
      baselineOnly: before.size - tasks.length,
      candidateOnly: after.size - tasks.length,
    },
  };
}
