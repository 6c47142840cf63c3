/** The counts behind everything that is said of a run; computed once per data version. */
import { isInfra } from "@/server/classify/taxonomy";
import type { IncidentCount, RolloutCount, RolloutDim, Store } from "@/server/domain/store";
import { heavyOf } from "./heavy";
import type { Memo } from "./memo";
import type { RunScores } from "./run-scores";
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
  /** Rollouts by config key and family of their loss. */
  configs: RolloutCount[];
  /** Planned as materialised inputs, and those of them without a record. */
  materialised: { planned: number; missing: number };
}

const MAIN: RolloutDim[] = ["verdict", "family", "class", "masked"];
/** Dimensions of `RunNumbers.configs`. */
export const CONFIG_DIMS: RolloutDim[] = ["configKey", "verdict", "family"];

/** Pass@1 and mean reward of a run, resampled over its tasks; `memo` must be of these labels. */
export function scoresOf(memo: Memo, labels: readonly string[]): Promise<RunScores> {
  const input = { labels: [...labels] };
  return memo.once(`run-scores ${JSON.stringify(labels)}`, () => heavyOf(memo.store).runScoresOf(input));
}

/** `memo` must be of these labels. */
export function runNumbers(memo: Memo, labels: readonly string[]): Promise<RunNumbers> {
  return memo.once(`run-numbers ${JSON.stringify(labels)}`, () => count(memo.store, [...labels]));
}

async function count(store: Store, runs: string[]): Promise<RunNumbers> {
  const [main, nodes, configs, incidents, materialised] = await Promise.all([
    store.countRollouts({ runs }, MAIN),
    store.countRollouts({ runs }, ["node"]),
    store.countRollouts({ runs }, CONFIG_DIMS),
    store.countIncidents({ runs }, ["class"], { hits: false }),
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
    configs,
    materialised,
  };
}

/** Absorbed incidents of infrastructure classes; `rows` are counted by class first. */
export function absorbedInfra(rows: readonly IncidentCount[]): number {
  return rows.reduce((sum, row) => sum + (row.key[0] && isInfra(row.key[0]) ? row.absorbed : 0), 0);
}

function sumWhere(rows: readonly RolloutCount[], keep: (row: RolloutCount) => boolean): number {
  return rows.reduce((sum, row) => sum + (keep(row) ? row.n : 0), 0);
}

/** Stores may spell a boolean dimension as `true` or `1`. */
function isTrue(text: string | null): boolean {
  return text === "true" || text === "1";
}
