/** What of the rows that reading again gives is new to the store, so that only what it touches is derived again. */

import type { Ref } from "@/server/domain/refs";
import { rolloutRefs } from "@/server/domain/rollout";
import type { FactRows } from "@/server/domain/segment";
import type { Store } from "@/server/domain/store";
import { stable } from "../natural-key";
import type { Difference } from "./difference";
import type { HeldKinds } from "./held-rows";

type Rows = Pick<FactRows, HeldKinds | "observations">;

export async function newsOf(
  store: Store,
  rows: Rows,
  moves: Difference["moves"],
): Promise<{ touched: Ref[]; moves: Difference["moves"] }> {
  const links = new Set((await store.linksFrom(unique(rows.links.map((link) => link.from)))).map(stable));
  const facts = new Set((await store.factsOf(unique(rows.facts.map((fact) => fact.ref)))).map(stable));
  const records = await store.rolloutsOfIds(unique(rows.rollouts.map((row) => row.id)));
  const known = new Set(records.map((row) => `${row.id} ${row.content}`));
  const touched: Ref[] = [
    ...rows.observations.flatMap((row) => row.refs),
    ...rows.links.flatMap((link) => (links.has(stable(link)) ? [] : [link.from, link.to])),
    ...rows.facts.flatMap((fact) => (facts.has(stable(fact)) ? [] : [fact.ref])),
    ...rows.rollouts.flatMap((row) => {
      const refs = rolloutRefs(row);
      return known.has(`${row.id} ${row.content}`) ? [] : [refs.rollout, refs.group];
    }),
  ];
  return { touched: unique(touched), moves: await withoutRepeats(store, moves) };
}

/** What a delivery says twice is kept once: a repeat is no news. */
async function withoutRepeats(store: Store, moves: Difference["moves"]): Promise<Difference["moves"]> {
  const come = moves.flatMap(({ before, after }) => (before === null && after !== null ? [after.key] : []));
  if (come.length === 0) return moves;
  const known = new Map((await store.observationsByKey(unique(come))).map((row) => [row.key, stable(bare(row))]));
  return moves.filter(({ before, after }) => before !== null || !after || known.get(after.key) !== stable(bare(after)));
}

function bare({ line: _, part: __, ...row }: Rows["observations"][number]): object {
  return row;
}

function unique<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}
