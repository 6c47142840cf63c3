/** The counts behind everything that is said of a run; computed once per data version. */
import { isInfra } from "@/server/classify/taxonomy";
import type { IncidentCount, RolloutCount, RolloutDim, Store } from "@/server/domain/store";
import { byContent } from "./by-content";
import type { Memo } from "./memo";
import { type RunScores, runScores, type TaskCell } from "./run-scores";
import { dimOf, type Tally, tallyAll } from "./tally";

export interface RunNumbers {
  tally: Tally;
  notScored: number;
  masked: number;
  /** Finished rollouts that an error ended which no rule explains. */
  unknown: number;
  /** Rollouts of which no evidence names the node. */
  withoutNode: number;
  nodes: number;
  /** Infra incidents that the run survived. */
  absorbed: number;
  scores: RunScores;
  /** Rollouts by config key and family of their loss. */
  configs: RolloutCount[];
  /** Planned as materialised inputs, and those of them without a record. */
  materialised: { planned: number; missing: number };
}

/** Ten thousand resamples a mean: kept for the runs that are looked at. */
const scoresOf = byContent(runScores, 500);

const MAIN: RolloutDim[] = ["verdict", "family", "class", "masked"];
const TASK: RolloutDim[] = ["task", "verdict"];
/** Dimensions of `RunNumbers.configs`. */
export const CONFIG_DIMS: RolloutDim[] = ["configKey", "verdict", "family"];

export function runNumbers(memo: Memo, labels: readonly string[]): Promise<RunNumbers> {
  return memo.once(`run-numbers ${JSON.stringify(labels)}`, () => count(memo.store, [...labels]));
}

async function count(store: Store, runs: string[]): Promise<RunNumbers> {
  const [main, tasks, nodes, configs, incidents, materialised] = await Promise.all([
    store.countRollouts({ runs }, MAIN),
    store.countRollouts({ runs }, TASK),
    store.countRollouts({ runs }, ["node"]),
    store.countRollouts({ runs }, CONFIG_DIMS),
    store.countIncidents({ runs }, ["class"]),
    store.countPlanned(runs),
  ]);
  return {
    tally: tallyAll(main, MAIN),
    notScored: sumWhere(main, (row) => dimOf(row, MAIN, "verdict") === "not_scored"),
    masked: sumWhere(main, (row) => isTrue(dimOf(row, MAIN, "masked"))),
    unknown: sumWhere(main, (row) => dimOf(row, MAIN, "class") === "unknown" && dimOf(row, MAIN, "verdict") !== null),
    withoutNode: sumWhere(nodes, (row) => row.key[0] === null),
    nodes: nodes.filter((row) => row.key[0] !== null).length,
    absorbed: absorbedInfra(incidents),
    scores: scoresOf(taskCells(tasks)),
    configs,
    materialised,
  };
}

/** Absorbed incidents of infrastructure classes; `rows` are counted by class first. */
export function absorbedInfra(rows: readonly IncidentCount[]): number {
  return rows.reduce((sum, row) => sum + (row.key[0] && isInfra(row.key[0]) ? row.absorbed : 0), 0);
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

function sumWhere(rows: readonly RolloutCount[], keep: (row: RolloutCount) => boolean): number {
  return rows.reduce((sum, row) => sum + (keep(row) ? row.n : 0), 0);
}

/** Stores may spell a boolean dimension as `true` or `1`. */
function isTrue(text: string | null): boolean {
  return text === "true" || text === "1";
}
