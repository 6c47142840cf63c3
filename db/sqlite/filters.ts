/** Conditions of questions. Values are always bound; a list is one bound JSON text, so that its length changes no statement. */
import { type SQL, sql } from "drizzle-orm";

/** `column IN list`; undefined (no filter) for an empty or missing list. One value is compared, which keeps an index's order. */
export function oneOf(column: SQL, list: readonly string[] | undefined): SQL | undefined {
  if (list === undefined || list.length === 0) return undefined;
  if (list.length === 1) return sql`${column} = ${list[0]}`;
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(list)}))`;
}

/** Integers of a list, for lookups by row number or hash. */
export function numbersIn(column: SQL, list: readonly number[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(list)}))`;
}

/** `from` inclusive, `to` exclusive; rows without a time (null or `NO_TIME`) are in no window. */
export function within(
  column: SQL,
  from: number | undefined,
  to: number | undefined,
  noTime?: number,
): (SQL | undefined)[] {
  if (from === undefined && to === undefined) return [];
  return [
    from === undefined && noTime !== undefined ? sql`${column} > ${noTime}` : undefined,
    from === undefined ? undefined : sql`${column} >= ${from}`,
    to === undefined ? undefined : sql`${column} < ${to}`,
  ];
}

/** `WHERE` of all conditions that are there. */
export function where(conditions: readonly (SQL | undefined)[]): SQL {
  const present = conditions.filter((condition) => condition !== undefined);
  return present.length === 0 ? sql`` : sql`WHERE ${sql.join(present, sql` AND `)}`;
}
