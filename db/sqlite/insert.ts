/** Insert statements made from the schema, so that a column is named in one place. */
import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Connection } from "./connection";

export type Stored = string | number | Uint8Array | null;

/** Inserts one row and returns its row number. Columns that `values` lacks are filled by the database. */
export function insertInto<T extends SQLiteTable>(
  connection: Connection,
  table: T,
): (values: Omit<T["$inferSelect"], "seq">) => number {
  const columns = Object.keys(getTableColumns(table)).filter((name) => name !== "seq");
  const list = columns.map((name) => `"${name}"`).join(", ");
  const marks = columns.map(() => "?").join(", ");
  const text = `INSERT INTO "${getTableName(table)}" (${list}) VALUES (${marks})`;
  return (values) => {
    const record = values as Record<string, Stored>;
    return Number(connection.statement(text).run(...columns.map((name) => record[name] ?? null)).lastInsertRowid);
  };
}
