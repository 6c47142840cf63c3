/** Questions about observations, sightings and the nodes and run labels that rows name. */
import { sql } from "drizzle-orm";
import type { RunFacts } from "@/server/domain/run";
import type { Facts } from "@/server/domain/store";
import { type ClassId, ORIGINS, type Origin } from "@/server/domain/taxonomy-words";
import type { Connection } from "./connection";
import { oneOf, where, within } from "./filters";
import { cutPage, pageLimit, readCursor } from "./pages";
import { fromCells } from "./rollups";
import { type PlannedRow, toPlanned } from "./rows";
import type { PlainMethods } from "./storage-errors";

type Questions = PlainMethods<
  Pick<Facts, "countObservations" | "countSightings" | "runFacts" | "missingRollouts" | "countPlanned" | "nodes">
>;
interface ObservationCount {
  kind: string;
  label: string | null;
  class: ClassId | null;
  n: number;
}

export function evidenceQuestions(connection: Connection): Questions {
  return {
    countObservations: (filter) =>
      connection.all<ObservationCount>(
        sql`SELECT kind, label, class, count(*) AS n FROM observations ${where([
          sql`main = 1`,
          oneOf(sql`run`, filter.runs),
          oneOf(sql`origin`, filter.origins),
          oneOf(sql`kind`, filter.kinds),
          oneOf(sql`class`, filter.classes),
          ...within(sql`at`, filter.from, filter.to),
        ])} GROUP BY kind, label, class ORDER BY kind, label, class`,
      ),
    countSightings(filter) {
      const row = connection.one<{ refs: number; lines: number }>(sql`SELECT count(DISTINCT s.ref) AS refs,
        CAST(total(s.lines) AS INTEGER) AS lines FROM sightings AS s JOIN batches AS b ON b.seq = s.batch ${where([
          oneOf(sql`s.run`, filter.runs),
          oneOf(sql`b.origin`, filter.origins),
          oneOf(sql`s.format`, filter.formats),
          ...within(sql`s.hour`, filter.from, filter.to),
        ])}`);
      return { refs: row?.refs ?? 0, lines: row?.lines ?? 0 };
    },
    runFacts: (filter) => runFacts(connection, filter),
    ...planQuestions(connection),
    nodes(filter) {
      const rows = connection.all<{ node: string }>(
        sql`SELECT DISTINCT node FROM marks ${where([
          sql`node IS NOT NULL`,
          oneOf(sql`origin`, filter.origins),
        ])} ORDER BY node`,
      );
      return rows.map((row) => row.node);
    },
  };
}

const MISSING = sql`NOT EXISTS (SELECT 1 FROM rollouts AS r WHERE r.groupId = planned.groupId)`;

function planQuestions(connection: Connection): Pick<Questions, "missingRollouts" | "countPlanned"> {
  return {
    missingRollouts(runs, page) {
      const limit = pageLimit(page);
      const after = readCursor(page, "missing", ["text", "text", "number", "text"]);
      if (runs.length === 0) return { items: [], next: null };
      const rows = connection.all<PlannedRow & { run: string }>(sql`SELECT DISTINCT run, task, taskIndex, groupId
        FROM planned ${where([
          oneOf(sql`run`, runs),
          MISSING,
          after
            ? sql`(run, task, taskIndex, groupId) > (${after[0]}, ${after[1]}, ${after[2]}, ${after[3]})`
            : undefined,
        ])} ORDER BY run, task, taskIndex, groupId LIMIT ${limit + 1}`);
      return cutPage(rows, limit, "missing", (row) => [row.run, row.task, row.taskIndex, row.groupId], toPlanned);
    },
    countPlanned(runs) {
      if (runs.length === 0) return { planned: 0, missing: 0 };
      const row = connection.one<{ planned: number; missing: number }>(sql`SELECT count(DISTINCT groupId) AS planned,
        count(DISTINCT CASE WHEN ${MISSING} THEN groupId END) AS missing FROM planned ${where([oneOf(sql`run`, runs)])}`);
      return { planned: row?.planned ?? 0, missing: row?.missing ?? 0 };
    },
  };
}

type RunSpanRow = Pick<RunFacts, "run" | "firstAt" | "lastAt" | "receivedAt"> & { origins: string };

function runFacts(connection: Connection, filter: { runs?: string[]; origins?: Origin[] }): RunFacts[] {
  const spans = connection.all<RunSpanRow>(sql`SELECT m.run AS run, min(m.firstAt) AS firstAt, max(m.lastAt) AS lastAt,
    max(b.receivedAt) AS receivedAt, group_concat(DISTINCT m.origin) AS origins
    FROM marks AS m JOIN batches AS b ON b.seq = m.batch ${where([
      sql`m.run IS NOT NULL`,
      oneOf(sql`m.run`, filter.runs),
      oneOf(sql`m.origin`, filter.origins),
    ])} GROUP BY m.run ORDER BY receivedAt DESC, run`);
  const rollouts = byRun(
    connection,
    sql`SELECT run, CAST(total(n) AS INTEGER) AS n ${fromCells(
      { withNode: false, byDay: true },
      where([oneOf(sql`run`, filter.runs), oneOf(sql`origin`, filter.origins)]),
    )} GROUP BY run`,
  );
  const planned = byRun(
    connection,
    sql`SELECT p.run AS run, count(DISTINCT p.groupId) AS n
    FROM planned AS p JOIN batches AS b ON b.seq = p.batch ${where([
      oneOf(sql`p.run`, filter.runs),
      oneOf(sql`b.origin`, filter.origins),
    ])} GROUP BY p.run`,
  );
  return spans.map(({ origins, ...span }) => ({
    ...span,
    origin: ORIGINS.find((origin) => origins.split(",").includes(origin)) ?? "fleet",
    rollouts: rollouts.get(span.run) ?? 0,
    planned: planned.get(span.run) ?? 0,
  }));
}

function byRun(connection: Connection, question: ReturnType<typeof sql>): Map<string | null, number> {
  return new Map(connection.all<{ run: string | null; n: number }>(question).map((row) => [row.run, row.n]));
}
