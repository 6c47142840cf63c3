/** Program: appends segments to one batch of the store in a folder, one line of output for each that is durable. */
import { writeSync } from "node:fs";
import { openStore } from "@/db/open-store";
import { madeBatch, madeFact, madeObservation, madeRollout, NO_COUNTS, rowsOf } from "./made-rows";

export const SEGMENT = 40;

async function main([dataDir = "", batchId = ""]: string[]): Promise<void> {
  const store = await openStore({ dataDir });
  await store.openBatch(madeBatch({ id: batchId, run: "r1" }));
  for (let n = 0; ; n++) {
    const name = (i: number) => `${batchId}-${n}-${i}`;
    const numbers = Array.from({ length: SEGMENT }, (_, i) => i);
    const refs = numbers.map((i) => `sandbox:default/${name(i)}`);
    const rows = rowsOf({
      observations: numbers.map((i) => madeObservation({ key: name(i), refs: [refs[i] as string], run: "r1" })),
      rollouts: numbers.map((i) => madeRollout({ id: name(i) })),
      facts: refs.map((ref) => madeFact(ref, "node", "n1")),
      touched: refs,
    });
    await store.append(batchId, rows, { ...NO_COUNTS, records: SEGMENT });
    writeSync(1, `${n}\n`);
  }
}

await main(process.argv.slice(2));
