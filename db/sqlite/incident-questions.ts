/** Questions about incidents. A part of a shared incident is not counted, and listed only when asked for. */
import { type SQL, sql } from "drizzle-orm";
import type { Facts, IncidentCount, IncidentFilter } from "@/server/domain/store";
import type { Connection } from "./connection";
import { type IncidentRow, toIncident } from "./derived-rows";
import { grouped, incidentDimensions, keyOf } from "./dimensions";
import { oneOf, where, within } from "./filters";
import { cutPage, pageLimit, readCursor } from "./pages";
import { NO_TIME } from "./rows";
import type { PlainMethods } from "./storage-errors";

function outcome(name: SQL): SQL {
  return sql`count(CASE WHEN outcome = ${name} THEN 1 END)`;
}

const OUTCOMES = sql`count(*) AS incidents,
  ${outcome(sql`'fatal'`)} AS fatal, ${outcome(sql`'absorbed'`)} AS absorbed,
  ${outcome(sql`'teardown'`)} AS teardown, ${outcome(sql`'unknown'`)} AS unknown`;
const WITHOUT_HITS = sql`${OUTCOMES}, 0 AS rollouts, 0 AS sandboxes`;
const COUNTS = sql`${OUTCOMES},
  count(DISTINCT CASE WHEN outcome = 'fatal' THEN rollout END) AS rollouts,
  count(DISTINCT cluster || char(10) || sandbox) AS sandboxes`;

export function incidentQuestions(
  connection: Connection,
): PlainMethods<Pick<Facts, "countIncidents" | "listIncidents">> {
  return {
    countIncidents(filter, by, options) {
      const dims = incidentDimensions(by, options);
      const whole = [...conditions(filter), sql`partOf IS NULL`];
      const question = grouped(
        dims,
        options?.hits === false ? WITHOUT_HITS : COUNTS,
        sql`${source(filter, true)} ${where(whole)}`,
      );
      return connection.all<Record<string, unknown> & Omit<IncidentCount, "key">>(question).map((row) => ({
        key: keyOf(row, dims),
        incidents: row.incidents,
        fatal: row.fatal,
        absorbed: row.absorbed,
        teardown: row.teardown,
        unknown: row.unknown,
        rollouts: row.rollouts,
        sandboxes: row.sandboxes,
      }));
    },
    listIncidents(filter, page) {
      const limit = pageLimit(page);
      const after = readCursor(page, "incidents", ["number", "text"]);
      const rows = connection.all<IncidentRow>(
        sql`SELECT * ${source(filter)} ${where([
          ...conditions(filter),
          filter.withParts === true ? undefined : sql`partOf IS NULL`,
          after ? sql`(time, id) < (${after[0]}, ${after[1]})` : undefined,
        ])} ORDER BY time DESC, id DESC LIMIT ${limit + 1}`,
      );
      return cutPage(rows, limit, "incidents", (row) => [row.time, row.id], toIncident);
    },
  };
}

/** A question about runs reads those runs' rows only, unless it names something narrower; a count of families an index alone. */
function source(filter: IncidentFilter, counted = false): SQL {
  const narrower = filter.ids?.length || filter.refs?.length || filter.rollouts?.length;
  const wide = !narrower && !filter.nodes?.length && !filter.classes?.length;
  if (counted && wide && !filter.runs?.length && filter.families?.length)
    return sql`FROM incidents INDEXED BY incident_counted`;
  // Newest first of all, or of several families: most are among the newest, so no sorting of all.
  if (!counted && wide && !filter.runs?.length && filter.families?.length !== 1)
    return sql`FROM incidents INDEXED BY incident_time`;
  if (!filter.runs?.length || filter.orWithoutRun === true || narrower) return sql`FROM incidents`;
  return sql`FROM incidents INDEXED BY incident_run`;
}

function conditions(filter: IncidentFilter): (SQL | undefined)[] {
  const runs = oneOf(sql`run`, filter.runs);
  return [
    runs && filter.orWithoutRun === true ? sql`(${runs} OR run IS NULL)` : runs,
    oneOf(sql`origin`, filter.origins),
    oneOf(sql`class`, filter.classes),
    oneOf(sql`family`, filter.families),
    oneOf(sql`node`, filter.nodes),
    oneOf(sql`configKey`, filter.configKeys),
    oneOf(sql`source`, filter.sources),
    oneOf(sql`outcome`, filter.outcomes),
    oneOf(sql`ref`, filter.refs),
    oneOf(sql`rollout`, filter.rollouts),
    oneOf(sql`id`, filter.ids),
    ...within(sql`time`, filter.from, filter.to, NO_TIME),
  ];
}
