import { expect, test } from "vitest";
import { openStore } from "@/db/open-store";
import type { Store } from "@/server/domain/store";
import { ORIGINS } from "@/server/domain/taxonomy-words";
import { openMemoryStore } from "../support/memory-store";
import { everyAnswer } from "./every-question";
import { madeBatch, madeSettings, NO_COUNTS, T0 } from "./made-rows";
import { GROUPS, Random, REFS, RUNS, randomIncident, randomRows, randomVerdict } from "./random-rows";

/** One change, made to both stores; its result must agree as well. */
type Change = (store: Store) => Promise<unknown>;

/** Draws the next change; what it needs to know it reads from the oracle, which both must equal. */
async function nextChange(r: Random, oracle: Store, step: number): Promise<Change> {
  const batches = (await oracle.batches({}, { limit: 1000, cursor: null })).items;
  const open = batches.filter((batch) => batch.state === "receiving");
  const batch = r.pick(open);
  const dice = r.int(100);
  if (batch === undefined || dice < 8) {
    const fresh = madeBatch({
      id: `b${step}`,
      run: r.int(4) ? null : r.pick(RUNS),
      origin: r.int(3) ? "fleet" : r.pick(ORIGINS),
      receivedAt: T0 + r.int(5),
    });
    return (store) => store.openBatch(fresh);
  }
  if (dice < 60) {
    const rows = randomRows(r);
    return (store) => store.append(batch.id, rows, { ...NO_COUNTS, records: 3, rejected: rows.rejects.length });
  }
  if (dice < 66) return (store) => store.closeBatch(batch.id, `d${step % 5}`, "gym", T0 + step);
  if (dice < 69) {
    const gone = r.pick(batches);
    return (store) => store.dropBatch(gone.id);
  }
  if (dice < 70) {
    const runs = RUNS.filter((run) => run !== null && r.int(4) === 0) as string[];
    return (store) => store.dropRun(runs);
  }
  if (dice < 71 && step % 3 === 0) return (store) => store.dropOrigin("demo");
  if (dice < 74) {
    const settings = madeSettings({ id: r.pick(["r1", "r2"]), planned: r.int(9) });
    return (store) => store.putRunSettings(settings);
  }
  // Refs that one drop queued have no order among them, so all are taken.
  if (dice < 84) return async (store) => (await store.unsettled(10_000)).sort();
  if (dice < 88) return settleAll;
  return settling(r, oracle);
}

/** Nothing waits afterwards, so that what is counted ahead is counted. */
async function settleAll(store: Store): Promise<void> {
  const refs = await store.unsettled(10_000);
  await store.settle({ refs, subjects: [], incidents: [], groups: [], verdicts: [], queue: [] });
}

async function settling(r: Random, oracle: Store): Promise<Change> {
  const groups = GROUPS.filter(() => r.int(2));
  const records = await oracle.rolloutsOfGroups(groups);
  const subjects = REFS.filter(() => r.int(3) === 0);
  const change = {
    refs: REFS.filter(() => r.int(2)),
    subjects,
    incidents: r.list(6, () => randomIncident(r)),
    groups,
    verdicts: records.filter(() => r.int(5)).map((record) => randomVerdict(r, record)),
    queue: r.list(2, () => r.pick(REFS)),
  };
  // Within one change each incident is there once.
  change.incidents = [...new Map(change.incidents.map((one) => [one.id, one])).values()];
  return (store) => store.settle(change);
}

async function mustAgree(seed: number): Promise<void> {
  const r = new Random(seed * 7919);
  const oracle = await openMemoryStore();
  const sqlite = await openStore({ dataDir: ":memory:" });
  try {
    for (let step = 1; step <= 240; step++) {
      const change = await nextChange(r, oracle, step);
      expect(await change(sqlite), `step ${step}`).toEqual(await change(oracle));
      if (step % 60 === 0) await mustAnswerAlike(oracle, sqlite, step);
    }
  } finally {
    for (const store of [oracle, sqlite]) await store.close();
  }
}

async function mustAnswerAlike(oracle: Store, sqlite: Store, step: number): Promise<void> {
  const right = await everyAnswer(oracle);
  const answers = await everyAnswer(sqlite);
  for (const [question, answer] of right) expect(answers.get(question), `${question} at ${step}`).toEqual(answer);
  expect(answers.size).toBe(right.size);
}

test.each([1, 2, 3, 4, 5])(
  "SQLite and plain arrays answer every question alike after the same random changes (seed %i)",
  (seed) => mustAgree(seed),
);
