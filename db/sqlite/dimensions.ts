/** What questions may group by: a closed table from a dimension's name to its expression. */
import { type SQL, sql } from "drizzle-orm";
import { CoalmineError } from "@/server/domain/errors";
import type { GroupOptions, IncidentDim, RolloutDim } from "@/server/domain/store";
import { NO_TIME } from "./rows";

/** Width of a bucket of which none was said. */
export const HOUR_MS = 3_600_000;

/** Start of the bucket that `time` is in, as epoch ms text; null without a time. Rounds down before 1970 as well. */
function bucket(width: number): SQL {
  // Bound numbers are floating point; as such they would make the text of the start end in ".0".
  const w = sql`CAST(${width} AS INTEGER)`;
  const start = sql`CAST(time - ((time % ${w}) + ${w}) % ${w} AS INTEGER)`;
  return sql`CASE WHEN time = ${NO_TIME} THEN NULL ELSE CAST(${start} AS TEXT) END`;
}

type Dimension = SQL | ((bucketMs: number) => SQL);

const ROLLOUT: Record<RolloutDim, Dimension> = {
  run: sql`run`,
  node: sql`node`,
  configKey: sql`configKey`,
  verdict: sql`verdict`,
  family: sql`family`,
  class: sql`class`,
  task: sql`task`,
  masked: sql`CASE masked WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`,
  bucket,
};

const INCIDENT: Record<IncidentDim, Dimension> = {
  run: sql`run`,
  node: sql`node`,
  configKey: sql`configKey`,
  family: sql`family`,
  class: sql`class`,
  outcome: sql`outcome`,
  source: sql`source`,
  bucket,
};

export function rolloutDimensions(by: readonly RolloutDim[], options: GroupOptions | undefined): SQL[] {
  return by.map((dim) => expression(ROLLOUT[dim], dim, options));
}

export function incidentDimensions(by: readonly IncidentDim[], options: GroupOptions | undefined): SQL[] {
  return by.map((dim) => expression(INCIDENT[dim], dim, options));
}

function expression(found: Dimension | undefined, dim: string, options: GroupOptions | undefined): SQL {
  if (found === undefined) throw new CoalmineError("invalid", `There is no dimension "${dim}".`);
  if (typeof found !== "function") return found;
  const width = options?.bucketMs ?? HOUR_MS;
  if (!Number.isSafeInteger(width) || width < 1) throw new CoalmineError("invalid", "A bucket is 1 ms or more wide.");
  return found(width);
}

/** One row per group with its key as columns `k0`, `k1` …, ordered by them; a single row without dimensions. */
export function grouped(dims: readonly SQL[], counts: SQL, from: SQL): SQL {
  if (dims.length === 0) return sql`SELECT ${counts} ${from}`;
  const columns = dims.map((dim, i) => sql`${dim} AS ${sql.raw(`k${i}`)}`);
  const names = sql.join(
    dims.map((_, i) => sql.raw(`k${i}`)),
    sql`, `,
  );
  return sql`SELECT ${sql.join(columns, sql`, `)}, ${counts} ${from} GROUP BY ${names} ORDER BY ${names}`;
}

/** The key of a row that `grouped` made. */
export function keyOf(row: Record<string, unknown>, dims: readonly unknown[]): (string | null)[] {
  return dims.map((_, i) => (row[`k${i}`] ?? null) as string | null);
}
