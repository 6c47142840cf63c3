/** The first page: how much infrastructure took lately, the newest runs, the nodes and deliveries to look at. */
import type { Overview } from "@/server/domain/answers";
import type { RolloutDim, Store } from "@/server/domain/store";
import type { Origin } from "@/server/domain/taxonomy-words";
import { batchAnswer } from "./batches";
import { iso } from "./iso";
import { allRunFacts, listRuns } from "./list-runs";
import { memoOf } from "./memo";
import { nodes } from "./nodes";
import { defaultOrigins } from "./origins";
import { readDirectory } from "./run-directory";
import { percent } from "./run-validity";
import { emptyTally, infraRate, type Tally, tallyAll, tallyBy } from "./tally";

const DAY_MS = 86_400_000;
const MOST_DAYS = 30;
const SHOWN = { runs: 8, nodes: 10, deliveries: 8 };
const DIMS: RolloutDim[] = ["bucket", "verdict", "family"];

/** `now` in epoch ms. Demo data shows only as long as there is nothing real, and `demo` says so. */
export async function overview(store: Store, input: { now: number }): Promise<Overview> {
  const origins = await defaultOrigins(store);
  const memo = await memoOf(store, { mayBeOld: true });
  const page = (limit: number) => ({ limit, cursor: null });
  const [runs, ranked, deliveries, days] = await Promise.all([
    listRuns(store, { origins, page: page(SHOWN.runs), now: input.now }),
    nodes(store, { origins, page: page(SHOWN.nodes) }),
    store.batches({ origins }, page(SHOWN.deliveries)),
    memo.once(`days ${origins}`, () => daysOf(store, origins)),
  ]);
  const directory = await readDirectory(store);
  const facts = (await allRunFacts(memo)).filter((one) => origins.includes(one.origin));
  const known = new Set(facts.map((one) => directory.ownerOf(one.run)));
  const empty = deliveries.items.length === 0 && runs.items.length === 0;
  return {
    empty,
    demo: deliveries.items.some((batch) => batch.origin === "demo"),
    sentence: sentence(empty, known.size, days.all),
    days: days.days,
    runs: runs.items,
    // Untested they would stand in no order.
    nodes: ranked.pending ? [] : ranked.items,
    deliveries: deliveries.items.map(batchAnswer),
    unreadable: deliveries.items.reduce((sum, batch) => sum + batch.rejected, 0),
    ...(ranked.pending ? { pending: true } : {}),
  };
}

/** The newest 30 days that hold rollouts; and all rollouts, also those of older days and without a time. */
async function daysOf(store: Store, origins: Origin[]): Promise<{ days: Overview["days"]; all: Tally }> {
  const rows = await store.countRollouts({ origins }, DIMS, { bucketMs: DAY_MS });
  const tallies = tallyBy(rows, DIMS, "bucket");
  const starts = [...tallies.keys()].filter((at) => at !== null).map(Number);
  const shown = starts
    .sort((a, b) => b - a)
    .slice(0, MOST_DAYS)
    .reverse();
  const days = shown.map((at) => {
    const tally = tallies.get(String(at)) ?? emptyTally();
    return { at: iso(at), rollouts: tally.rollouts, infraFailed: infraRate(tally), byFamily: tally.byFamily };
  });
  return { days, all: tallyAll(rows, DIMS) };
}

function sentence(empty: boolean, runs: number, all: Tally): string {
  if (empty) return "Nothing has been sent yet.";
  const rate = infraRate(all);
  if (rate === null) return "No rollouts yet: what arrived so far is logs and events.";
  const over = `${rate.n} ${rate.n === 1 ? "rollout" : "rollouts"} of ${runs} ${runs === 1 ? "run" : "runs"}`;
  if (rate.k === 0) return `Infrastructure took none of ${over}.`;
  const interval = `${(rate.low * 100).toFixed(1)}–${percent(rate.high)}`;
  return `Infrastructure took ${rate.k} of ${over}: ${percent(rate.value)} (${interval}).`;
}
