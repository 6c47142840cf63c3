/**
 * `npm run bench -- seed [ROLLOUTS] [FOLDER]`: a store of made-up rollouts (100 000 unless said), as many sandboxes and ten
 * times as many observations, written through the Store. Verdicts and incidents are made too: deriving a million is a
 * matter of ingest, and takes an hour.
 */
import { openStore } from "@/db/open-store";
import type { Store } from "@/server/domain/store";
import { madeBatch, NO_COUNTS } from "../store/made-rows";
import { seedFolder } from "./seed-folder";
import { OBSERVATIONS_A_ROLLOUT, ROLLOUTS_A_RUN, seedEnd, seedRows, seedRunName } from "./seed-rows";

const ROLLOUTS_AN_APPEND = 500;

async function seed(store: Store, rollouts: number, onRun: (run: number) => void = () => undefined) {
  const runs = Math.ceil(rollouts / ROLLOUTS_A_RUN);
  for (let run = 0; run < runs; run++) {
    const size = Math.min(ROLLOUTS_A_RUN, rollouts - run * ROLLOUTS_A_RUN);
    await seedRun(store, run, size);
    onRun(run);
  }
}

async function seedRun(store: Store, run: number, size: number): Promise<void> {
  const id = `seed-batch-${run}`;
  const name = seedRunName(run);
  const at = seedEnd(run + 1);
  await store.openBatch(madeBatch({ id, run: name, name: `${name}.jsonl`, receivedAt: at }));
  for (let from = 0; from < size; from += ROLLOUTS_AN_APPEND) {
    const rows = seedRows(run, from, Math.min(size, from + ROLLOUTS_AN_APPEND));
    const observations = rows.facts.observations.length;
    const rollouts = rows.facts.rollouts.length;
    await store.append(id, rows.facts, { ...NO_COUNTS, records: rollouts, observations, rollouts });
    await store.settle({
      refs: [],
      subjects: [...new Set(rows.incidents.map((one) => one.ref))],
      incidents: rows.incidents,
      groups: rows.verdicts.map((one) => one.group),
      verdicts: rows.verdicts,
      queue: [],
    });
  }
  await store.closeBatch(id, `digest-${run}`, "gym-rollouts", at);
}

async function main(): Promise<void> {
  const rollouts = Number(process.argv[2] ?? 100_000);
  const folder = process.argv[3] ?? seedFolder(rollouts);
  const store = await openStore({ dataDir: folder });
  const began = performance.now();
  await seed(store, rollouts, (run) => {
    if (run % 25 === 24) process.stderr.write(`${(run + 1) * ROLLOUTS_A_RUN} rollouts\n`);
  });
  const seconds = (performance.now() - began) / 1000;
  const bytes = await store.bytes();
  await store.close();
  const observations = rollouts * OBSERVATIONS_A_ROLLOUT;
  process.stdout.write(`${JSON.stringify({ bench: "seed", folder, rollouts, observations, seconds, bytes })}\n`);
}

await main();
