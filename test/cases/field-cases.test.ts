import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { everything, openMemory, rejects, send } from "../support/deliveries";
import { differences, type Expectation, type Outcome } from "./expectation";

const folder = new URL(".", import.meta.url);
const expected = JSON.parse(readFileSync(new URL("expected.json", folder), "utf8")).cases as Record<
  string,
  Expectation
>;
const files = readdirSync(folder).filter((name) => name in expected);

async function outcomeOfFile(name: string): Promise<Outcome> {
  const store = await openMemory();
  const result = await send(store, readFileSync(new URL(name, folder)), { run: "case", source: name });
  const outcome: Outcome = {
    incidents: await everything((page) => store.listIncidents({}, page)),
    rollouts: await everything((page) => store.listRollouts({}, page)),
    rejects: await rejects(store, result.batchId),
  };
  await store.close();
  return outcome;
}

test.each(files)("%s gives the expected incidents, outcomes and nodes", async (name) => {
  const outcome = await outcomeOfFile(name);
  expect(differences(expected[name] as Expectation, outcome)).toEqual([]);
});
