/** Appends observations, links and facts of one batch, inside the caller's transaction. */
import type { Fact, Link, Observation } from "@/server/domain/facts";
import type { Ref } from "@/server/domain/refs";
import type { Connection } from "./connection";
import { insertInto } from "./insert";
import type { NewSpans } from "./new-spans";
import { type FactRow, fromLink, fromObservation, type LinkRow, type ObservationRow } from "./rows";
import { facts, links, observations } from "./schema";
import { textHash } from "./text-hash";
import { chooseObservation, factBeats, observationsOfKey } from "./winners";

const MOVE_UP = "UPDATE observations SET line = ?, part = ? WHERE seq = ?";
const ADD_REF = "INSERT OR IGNORE INTO observation_refs (refHash, observation) VALUES (?, ?)";

/** Returns how many rows were added, how many keys were there before, and the refs of those, which must be derived again as well. */
export function appendObservations(connection: Connection, batch: number, rows: readonly Observation[]) {
  const insert = insertInto(connection, observations);
  const addRef = connection.statement(ADD_REF);
  const alsoTouched: Ref[] = [];
  let duplicates = 0;
  let added = 0;
  for (const observation of rows) {
    const row = fromObservation(observation, batch);
    const known = observationsOfKey(connection, row.keyHash, row.key);
    if (known.length > 0) duplicates++;
    const own = known.find((other) => other.batch === batch && sameObservation(other, row));
    if (own) {
      if (row.line < own.line) connection.statement(MOVE_UP).run(row.line, row.part, own.seq);
      if (row.line < own.line && known.length > 1) chooseObservation(connection, row.keyHash, row.key);
      continue;
    }
    added++;
    const seq = insert(known.length > 0 ? { ...row, main: 0 } : row);
    for (const ref of observation.refs) addRef.run(textHash(ref), seq);
    if (known.length === 0) continue;
    chooseObservation(connection, row.keyHash, row.key);
    for (const other of known) if (other.refs !== row.refs) alsoTouched.push(...(JSON.parse(other.refs) as Ref[]));
  }
  return { added, duplicates, alsoTouched };
}

/** A record that one delivery brought twice is kept once, at its first line. */
function sameObservation(known: ObservationRow, row: Omit<ObservationRow, "seq">): boolean {
  return Object.entries(row).every(
    ([name, value]) =>
      name === "main" || name === "line" || name === "part" || known[name as keyof ObservationRow] === value,
  );
}

const COUNTED_LINKS = "SELECT * FROM links WHERE fromHash = ? AND main = 1";
const OWN_LINKS = "SELECT * FROM links WHERE fromHash = ? AND main = 0 AND batch = ?";

/** Notes in `spans` when new links hold. */
export function appendLinks(connection: Connection, batch: number, rows: readonly Link[], spans: NewSpans): void {
  const insert = insertInto(connection, links);
  for (const link of rows) {
    const row = fromLink(link, batch);
    const counted = (connection.statement(COUNTED_LINKS).all(row.fromHash) as LinkRow[]).find((o) => sameLink(o, row));
    if (!counted) {
      insert(row);
      for (const ref of [link.from, link.to]) spans.note(ref, link.since, link.until);
      continue;
    }
    for (const ref of [link.from, link.to]) spans.nothingNew(ref);
    const own = connection.statement(OWN_LINKS).all(row.fromHash, batch) as LinkRow[];
    if (counted.batch !== batch && !own.some((other) => sameLink(other, row))) insert({ ...row, main: 0 });
  }
}

function sameLink(a: Omit<LinkRow, "seq">, b: Omit<LinkRow, "seq">): boolean {
  const equalTimes = a.since === b.since && a.until === b.until;
  return equalTimes && a.fromRef === b.fromRef && a.toRef === b.toRef && a.how === b.how;
}

const COUNTED_FACT = "SELECT * FROM facts WHERE refHash = ? AND main = 1 AND ref = ? AND name = ?";
const OWN_FACT = `SELECT * FROM facts
  WHERE refHash = ? AND main IN (0, 1) AND batch = ? AND ref = ? AND name = ? AND value = ?`;
const RAISE_FACT = "UPDATE facts SET rank = ?, at = ? WHERE seq = ?";
const MAKE_MAIN = "UPDATE facts SET main = ? WHERE seq = ?";

/**
 * Of one value that a batch gives several times only the strongest is kept: the weaker can never count. Notes in `spans`
 * what a fact changes: its value or its rank; that it is still so later is nothing new.
 */
export function appendFacts(connection: Connection, batch: number, rows: readonly Fact[], spans: NewSpans): void {
  const insert = insertInto(connection, facts);
  for (const row of strongest(rows)) {
    const hash = textHash(row.ref);
    const own = connection.statement(OWN_FACT).get(hash, batch, row.ref, row.name, row.value) as FactRow | undefined;
    if (own && !factBeats(row, own)) {
      spans.nothingNew(row.ref);
      continue;
    }
    const counted = connection.statement(COUNTED_FACT).get(hash, row.ref, row.name) as FactRow | undefined;
    const wins = counted === undefined || counted.seq === own?.seq || factBeats(row, counted);
    if (wins && (counted?.value !== row.value || counted.rank !== row.rank)) spans.note(row.ref, null, null);
    else spans.nothingNew(row.ref);
    if (wins && counted) connection.statement(MAKE_MAIN).run(0, counted.seq);
    if (own) {
      connection.statement(RAISE_FACT).run(row.rank, row.at, own.seq);
      if (wins) connection.statement(MAKE_MAIN).run(1, own.seq);
    } else insert({ ...row, batch, refHash: hash, main: wins ? 1 : 0 });
  }
}

type PlainFact = Omit<Fact, "value"> & { value: string };

/** Of each value the one that counts most. */
export function strongest(rows: readonly Fact[]): Iterable<PlainFact> {
  const kept = new Map<string, PlainFact>();
  for (const fact of rows) {
    const row = { ref: fact.ref, name: fact.name, value: JSON.stringify(fact.value), rank: fact.rank, at: fact.at };
    const key = `${row.ref}\n${row.name}\n${row.value}`;
    const known = kept.get(key);
    if (!known || factBeats(row, known)) kept.set(key, row);
  }
  return kept.values();
}
