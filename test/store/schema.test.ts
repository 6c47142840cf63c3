import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore } from "@/db/open-store";
import * as schema from "@/db/sqlite/schema";
import * as archive from "@/db/sqlite/schema-archive";
import * as derived from "@/db/sqlite/schema-derived";
import * as pieces from "@/db/sqlite/schema-pieces";
import * as rollups from "@/db/sqlite/schema-rollups";

const tables = [schema, archive, derived, pieces, rollups]
  .flatMap(Object.values<unknown>)
  .filter((value) => value instanceof SQLiteTable);
const folder = mkdtempSync(join(tmpdir(), "coalmine-schema-"));
let plain: Database.Database;

beforeAll(async () => {
  await (await openStore({ dataDir: folder })).close();
  plain = new Database(join(folder, "coalmine.db"), { readonly: true });
});
afterAll(() => {
  plain.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Names that a pragma lists for a table, those that SQLite made for itself left out. */
function namesIn(pragma: string, table: string): string[] {
  const rows = plain.pragma(`${pragma}(${table})`) as { name: string }[];
  return rows.map((row) => row.name).filter((name) => !name.startsWith("sqlite_autoindex"));
}

describe("the migrations", () => {
  test.each(tables.map((table) => getTableConfig(table)))("make the table $name as the schema has it", (config) => {
    expect(namesIn("table_info", config.name)).toEqual(config.columns.map((column) => column.name));
    expect(namesIn("index_list", config.name).sort()).toEqual(config.indexes.map((index) => index.config.name).sort());
    for (const index of config.indexes) {
      const columns = index.config.columns.map((column) => ("name" in column ? column.name : "?"));
      expect(namesIn("index_info", index.config.name)).toEqual(columns);
    }
  });

  test("keep the refs of observations without row numbers, which would double them", () => {
    const [refs] = plain.pragma("table_list(observation_refs)") as { wr: number }[];
    expect(refs?.wr).toBe(1);
  });

  test("let space be given back, and log ahead", () => {
    expect(plain.pragma("auto_vacuum", { simple: true })).toBe(2);
    expect(plain.pragma("journal_mode", { simple: true })).toBe("wal");
  });

  test("are not made again when the store is opened again", async () => {
    const store = await openStore({ dataDir: folder });
    await store.putSetting("a", "b");
    await store.close();
    const again = await openStore({ dataDir: folder });
    expect(await again.setting("a")).toBe("b");
    await again.close();
  });

  test("leave a store alone that a newer version has set up, and say so", async () => {
    const dataDir = join(folder, "newer");
    await (await openStore({ dataDir })).close();
    const file = new Database(join(dataDir, "coalmine.db"));
    file.prepare("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999)").run();
    file.close();
    const newer = { code: "unavailable", message: expect.stringMatching(/newer version.*this one/) };
    await expect(openStore({ dataDir })).rejects.toMatchObject(newer);
    await expect(openStore({ dataDir, readOnly: true })).rejects.toMatchObject(newer);
  });
});
