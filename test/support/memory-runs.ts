/** Which run labels the rows of the store in memory name. */
import type { RolloutRecord } from "@/server/domain/rollout";
import type { RunFacts } from "@/server/domain/run";
import type { RolloutFilter } from "@/server/domain/store";
import { ORIGINS, type Origin } from "@/server/domain/taxonomy-words";
import { compareAll, groupBy, isIn } from "./memory-reads";
import type { Held, Memory } from "./memory-store";

interface Named {
  run: string;
  origin: Origin;
  receivedAt: number;
  times: number[];
}

/** Everything that names a run label, with the times it gives. */
function namedRuns(one: Held): Named[] {
  const { receivedAt } = one.batch;
  const named = (run: string | null, origin: Origin, times: (number | null)[]): Named[] =>
    run === null ? [] : [{ run, origin, receivedAt, times: times.filter((t) => t !== null) }];
  return [
    ...named(one.batch.run, one.batch.origin, []),
    ...one.planned.flatMap((plan) => named(plan.run, one.batch.origin, [])),
    ...one.observations.flatMap((o) => named(o.run, o.origin, [o.at])),
    ...one.rollouts.flatMap((r: RolloutRecord) => named(r.run, r.origin, [r.startedAt, r.endedAt])),
  ];
}

export function memoryRunFacts(
  memory: Memory,
  filter: { runs?: string[]; origins?: Origin[] },
  countRollouts: (filter: RolloutFilter) => number,
): RunFacts[] {
  const { origins } = filter;
  const named = memory.batches
    .flatMap(namedRuns)
    .filter((one) => isIn(filter.runs, one.run) && isIn(origins, one.origin));
  const plans = memory.batches.filter((one) => isIn(origins, one.batch.origin)).flatMap((one) => one.planned);
  return groupBy(named, (one) => [one.run])
    .map(({ key, rows }) => {
      const run = key[0] as string;
      const times = rows.flatMap((one) => one.times);
      return {
        run,
        origin: ORIGINS.find((origin) => rows.some((one) => one.origin === origin)) ?? "fleet",
        rollouts: countRollouts({ runs: [run], origins }),
        planned: new Set(plans.filter((plan) => plan.run === run).map((plan) => plan.group)).size,
        firstAt: times.length === 0 ? null : Math.min(...times),
        lastAt: times.length === 0 ? null : Math.max(...times),
        receivedAt: Math.max(...rows.map((one) => one.receivedAt)),
      };
    })
    .sort((a, b) => compareAll([b.receivedAt, a.run], [a.receivedAt, b.run]));
}
