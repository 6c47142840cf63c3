/** Questions about rollouts that have a verdict. */
import { type SQL, sql } from "drizzle-orm";
import type { RolloutOutcome } from "@/server/domain/rollout";
import type { Facts, GroupOptions, RolloutCount, RolloutDim, RolloutFilter } from "@/server/domain/store";
import type { Connection } from "./connection";
import { toShownRollout, type VerdictRow } from "./derived-rows";
import { grouped, HOUR_MS, keyOf, rolloutDimensions } from "./dimensions";
import { numbersIn, oneOf, where, within } from "./filters";
import { cutPage, pageLimit, readCursor } from "./pages";
import { CELL_MS, DAY_MS, fromCells } from "./rollups";
import { NO_TIME, type RolloutRow } from "./rows";
import type { PlainMethods } from "./storage-errors";

const COUNTS = sql`count(*) AS n, count(reward) AS rewarded, total(reward) AS rewardSum,
  count(CASE WHEN verdict = 'passed' THEN 1 END) AS passed,
  count(CASE WHEN verdict = 'infra_failed' THEN 1 END) AS infraFailed,
  CAST(total(absorbed) AS INTEGER) AS absorbed`;

const CELL_COUNTS = sql`CAST(total(n) AS INTEGER) AS n, CAST(total(rewarded) AS INTEGER) AS rewarded, total(rewardSum) AS rewardSum,
  CAST(total(CASE WHEN verdict = 'passed' THEN n END) AS INTEGER) AS passed,
  CAST(total(CASE WHEN verdict = 'infra_failed' THEN n END) AS INTEGER) AS infraFailed,
  CAST(total(absorbed) AS INTEGER) AS absorbed`;

type Questions = Pick<Facts, "countRollouts" | "listRollouts" | "rolloutOutcomes">;

export function rolloutQuestions(connection: Connection): PlainMethods<Questions> {
  return {
    rolloutOutcomes(runs) {
      if (runs.length === 0) return [];
      return connection.all<RolloutOutcome>(sql`SELECT task, (SELECT taskIndex FROM rollouts WHERE seq = v.rollout) AS "index",
        verdict, family, reward FROM verdicts AS v INDEXED BY verdict_run ${where([oneOf(sql`run`, runs), sql`effective = 1`])}
        ORDER BY time DESC, id DESC, content DESC`);
    },
    countRollouts(filter, by, options) {
      const dims = rolloutDimensions(by, options);
      const fits = where(conditions(filter));
      const cells = { withNode: needsNode(filter, by), byDay: cutsFit(DAY_MS, filter, by, options) };
      const question = areInCells(filter, by, options)
        ? grouped(dims, CELL_COUNTS, fromCells(cells, where(conditions(filter, true))))
        : grouped(dims, COUNTS, sql`${source(filter, false)} ${fits}`);
      return connection.all<Record<string, unknown> & Omit<RolloutCount, "key">>(question).map((row) => ({
        key: keyOf(row, dims),
        n: row.n,
        rewarded: row.rewarded,
        rewardSum: row.rewardSum,
        passed: row.passed,
        infraFailed: row.infraFailed,
        absorbed: row.absorbed,
      }));
    },
    listRollouts(filter, page) {
      const limit = pageLimit(page);
      const after = readCursor(page, "rollouts", ["number", "text", "text"]);
      const rows = connection.all<VerdictRow>(
        sql`SELECT * ${source(filter, true)} ${where([
          ...conditions(filter),
          after ? sql`(time, id, content) < (${after[0]}, ${after[1]}, ${after[2]})` : undefined,
        ])} ORDER BY time DESC, id DESC, content DESC LIMIT ${limit + 1}`,
      );
      const records = recordsOf(connection, rows);
      const shown = rows.flatMap((verdict) => {
        const record = records.get(verdict.rollout);
        return record ? [{ verdict, record }] : [];
      });
      return cutPage(
        shown,
        limit,
        "rollouts",
        ({ verdict }) => [verdict.time, verdict.id, verdict.content],
        ({ record, verdict }) => toShownRollout(record, verdict),
      );
    },
  };
}

function recordsOf(connection: Connection, rows: readonly VerdictRow[]): Map<number, RolloutRow> {
  const numbers = rows.map((row) => row.rollout);
  const records = connection.all<RolloutRow>(sql`SELECT * FROM rollouts WHERE ${numbersIn(sql`seq`, numbers)}`);
  return new Map(records.map((record) => [record.seq, record]));
}

/**
 * A question about runs reads those runs' rows only. Left alone, the planner would walk the index by time through all
 * rollouts to save the sorting of one run's.
 */
function source(filter: RolloutFilter, listed: boolean): SQL {
  if (!filter.runs?.length) return sql`FROM verdicts`;
  if (listed && filter.verdicts?.length) return sql`FROM verdicts INDEXED BY verdict_run_verdict`;
  return sql`FROM verdicts INDEXED BY verdict_run`;
}

/** Cells know neither tasks nor texts, hold effective rollouts alone, and cannot be cut within an hour. */
function areInCells(filter: RolloutFilter, by: readonly RolloutDim[], options: GroupOptions | undefined): boolean {
  if (
    filter.effectiveOnly === false ||
    filter.tasks?.length ||
    filter.ids?.length ||
    filter.text ||
    by.includes("task")
  )
    return false;
  return cutsFit(CELL_MS, filter, by, options);
}

/** Does no edge of the question lie within a cell of so many ms? */
function cutsFit(ms: number, filter: RolloutFilter, by: readonly RolloutDim[], options?: GroupOptions): boolean {
  const cuts = [filter.from, filter.to, by.includes("bucket") ? (options?.bucketMs ?? HOUR_MS) : undefined];
  return cuts.every((cut) => cut === undefined || cut % ms === 0);
}

function needsNode(filter: RolloutFilter, by: readonly RolloutDim[]): boolean {
  return by.includes("node") || (filter.nodes?.length ?? 0) > 0;
}

function conditions(filter: RolloutFilter, ofCells = false): (SQL | undefined)[] {
  return [
    oneOf(sql`run`, filter.runs),
    oneOf(sql`id`, filter.ids),
    ofCells || filter.effectiveOnly === false ? undefined : sql`effective = 1`,
    oneOf(sql`origin`, filter.origins),
    oneOf(sql`verdict`, filter.verdicts),
    oneOf(sql`class`, filter.classes),
    oneOf(sql`family`, filter.families),
    oneOf(sql`node`, filter.nodes),
    oneOf(sql`task`, filter.tasks),
    oneOf(sql`configKey`, filter.configKeys),
    ...within(sql`time`, filter.from, filter.to, NO_TIME),
    filter.text === undefined || filter.text === "" ? undefined : contains(filter.text.toLowerCase()),
  ];
}

function contains(text: string): SQL {
  const error = sql`(SELECT error FROM rollouts WHERE rollouts.seq = verdicts.rollout)`;
  return sql`(has_text(task, ${text}) OR has_text(${error}, ${text}))`;
}
