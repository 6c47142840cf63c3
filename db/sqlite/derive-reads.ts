/** Bulk reads for deriving: by ref, key or group. Each row once, in an order that does not depend on arrival. */
import { type SQL, sql } from "drizzle-orm";
import type { Ref } from "@/server/domain/refs";
import type { Facts } from "@/server/domain/store";
import type { Connection } from "./connection";
import { type IncidentRow, toIncident } from "./derived-rows";
import { numbersIn } from "./filters";
import {
  type FactRow,
  type LinkRow,
  type ObservationRow,
  type RolloutRow,
  toFact,
  toLink,
  toObservation,
  toRollout,
} from "./rows";
import { textHash } from "./text-hash";

type Reads = Pick<
  Facts,
  | "observationsOf"
  | "observationsByKey"
  | "observationBatches"
  | "linksFrom"
  | "linksTo"
  | "factsOf"
  | "rolloutsOfGroups"
  | "rolloutsOfIds"
  | "incidentsOf"
>;
type PlainReads = { [K in keyof Reads]: (list: string[]) => Awaited<ReturnType<Reads[K]>> };

interface Place {
  key: string;
  batch: string;
  line: number;
  part: number;
}

export function deriveReads(connection: Connection): PlainReads {
  return {
    observationsOf: (refs) => {
      const wanted = new Set<Ref>(refs);
      const rows = connection.all<ObservationRow>(sql`SELECT o.* FROM observations AS o
        WHERE o.main = 1 AND o.seq IN (SELECT observation FROM observation_refs WHERE ${hashIn(sql`refHash`, refs)})`);
      const found = rows.map(toObservation).filter((observation) => observation.refs.some((ref) => wanted.has(ref)));
      return found.sort((a, b) => order(a.key, b.key));
    },
    observationsByKey: (keys) => {
      const wanted = new Set(keys);
      const rows = connection.all<ObservationRow>(
        sql`SELECT * FROM observations WHERE main = 1 AND ${hashIn(sql`keyHash`, keys)}`,
      );
      const found = rows.filter((row) => wanted.has(row.key)).map(toObservation);
      return found.sort((a, b) => order(a.key, b.key));
    },
    observationBatches: (keys) => {
      const wanted = new Set(keys);
      const rows = connection.all<Place>(
        sql`SELECT o.key, b.id AS batch, o.line, o.part FROM observations AS o JOIN batches AS b ON b.seq = o.batch
          WHERE ${hashIn(sql`o.keyHash`, keys)} ORDER BY o.batch DESC, o.line DESC, o.part DESC`,
      );
      // The last of a key is set last: of the batch opened first, its least line.
      const places = rows
        .filter((row) => wanted.has(row.key))
        .map(({ key, part, ...where }) => [key, { ...where, ...(part > 0 && { part }) }] as const);
      return new Map(places);
    },
    linksFrom: (refs) => linksBy(connection, sql`fromHash`, (row) => row.fromRef, refs),
    linksTo: (refs) => linksBy(connection, sql`toHash`, (row) => row.toRef, refs),
    factsOf: (refs) => {
      const wanted = new Set<Ref>(refs);
      const rows = connection.all<FactRow>(sql`SELECT * FROM facts WHERE main = 1 AND ${hashIn(sql`refHash`, refs)}`);
      const found = rows.filter((row) => wanted.has(row.ref)).map(toFact);
      return found.sort((a, b) => order(a.ref, b.ref) || order(a.name, b.name));
    },
    rolloutsOfGroups: (groups) => rolloutsBy(connection, sql`groupId`, groups),
    rolloutsOfIds: (ids) => rolloutsBy(connection, sql`id`, ids),
    incidentsOf: (subjects) => {
      const rows = connection.all<IncidentRow>(sql`SELECT * FROM incidents WHERE ${textIn(sql`ref`, subjects)}`);
      return rows.map(toIncident).sort((a, b) => order(a.id, b.id));
    },
  };
}

function linksBy(connection: Connection, column: SQL, refOf: (row: LinkRow) => Ref, refs: readonly Ref[]) {
  const wanted = new Set<Ref>(refs);
  const rows = connection.all<LinkRow>(sql`SELECT * FROM links WHERE main = 1 AND ${hashIn(column, refs)}`);
  const found = rows.filter((row) => wanted.has(refOf(row))).map(toLink);
  const texts = new Map(found.map((link) => [link, JSON.stringify(link)]));
  return found.sort((a, b) => order(texts.get(a) ?? "", texts.get(b) ?? ""));
}

function rolloutsBy(connection: Connection, column: SQL, values: readonly string[]) {
  const rows = connection.all<RolloutRow>(sql`SELECT * FROM rollouts WHERE main = 1 AND ${textIn(column, values)}`);
  return rows.map(toRollout).sort((a, b) => order(a.id, b.id) || order(a.content, b.content));
}

/** Finds candidates by hash; the caller compares their text. */
function hashIn(column: SQL, texts: readonly string[]): SQL {
  return numbersIn(column, [...new Set(texts.map(textHash))]);
}

function textIn(column: SQL, texts: readonly string[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(texts)}))`;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
