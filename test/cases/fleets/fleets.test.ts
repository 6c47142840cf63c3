/** Deliveries of several sources about one fleet, with all that is true of it in `expected.json`; whichever comes first changes nothing. */
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { DeliveryParams } from "@/server/domain/batch";
import { incidents, openMemory, rollouts, send } from "../../support/deliveries";

interface Fleet {
  params: Record<string, Partial<DeliveryParams>>;
  receivedAt: string;
  /** Files whose records span lines; they are not split. */
  whole: string[];
  /** `class outcome subject node rollouts-task attempts`, sorted; `-` for nothing, `+` behind a lower bound. */
  incidents: string[];
  /** `task verdict class node`, sorted. */
  rollouts: string[];
}

interface Part {
  file: string;
  body: string;
}

const FLEETS = readdirSync(new URL(".", import.meta.url), { withFileTypes: true }).filter((one) => one.isDirectory());
const read = (fleet: string, file: string) => readFileSync(new URL(`./${fleet}/${file}`, import.meta.url), "utf8");

/** Each line alone is a delivery of its own, but for documents and the files named in `whole`; undefined: all files are whole. */
function partsOf(fleet: string, whole: readonly string[] | undefined): Part[] {
  const files = readdirSync(new URL(`./${fleet}/`, import.meta.url)).filter((name) => name !== "expected.json");
  return files.flatMap((file) => {
    const text = read(fleet, file);
    const isWhole = whole === undefined || whole.includes(file) || file.endsWith(".json");
    const lines = isWhole ? [text] : text.match(/.*\n/g);
    return (lines ?? []).map((body) => ({ file, body }));
  });
}

async function pictureOf(fleet: Fleet, parts: readonly Part[]) {
  const store = await openMemory();
  const receivedAt = Date.parse(fleet.receivedAt);
  for (const { file, body } of parts) await send(store, body, { source: file, ...fleet.params[file] }, { receivedAt });
  const seen = (await incidents(store)).filter((one) => one.partOf === null);
  const rows = await rollouts(store);
  await store.close();
  const taskOf = new Map(rows.map((row) => [row.id, row.task]));
  const words = (...all: (string | number | null | undefined)[]) => all.map((one) => one ?? "-").join(" ");
  return {
    incidents: seen
      .map((one) => {
        const tries = `${one.attempts}${one.atLeast ? "+" : ""}`;
        return words(one.class, one.outcome, one.subject.id, one.node, taskOf.get(one.rollout ?? ""), tries);
      })
      .sort(),
    rollouts: rows.map((row) => words(row.task, row.verdict, row.class, row.node)).sort(),
  };
}

test.each(FLEETS.map(({ name }) => name))(
  "%s: counts, nodes and outcomes are exact, in any order and split",
  async (name) => {
    const fleet = JSON.parse(read(name, "expected.json")) as Fleet;
    const expected = { incidents: fleet.incidents, rollouts: fleet.rollouts };
    expect(await pictureOf(fleet, partsOf(name, undefined))).toEqual(expected);
    const all = partsOf(name, fleet.whole);
    const shuffled = fc.tuple(fc.shuffledSubarray(all, { minLength: all.length }), fc.subarray(all, { maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(shuffled, async ([once, again]) => {
        expect(await pictureOf(fleet, [...once, ...again])).toEqual(expected);
      }),
      { numRuns: 6, seed: 5 },
    );
  },
);
