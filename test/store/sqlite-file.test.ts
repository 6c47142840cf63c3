import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, expect, test } from "vitest";
import { openStore } from "@/db/open-store";
import { storeConformance } from "./conformance";
import { deliver, madeObservation, NO_COUNTS, rowsOf } from "./made-rows";

const folder = mkdtempSync(join(tmpdir(), "coalmine-store-"));
let opened = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a record that one delivery brings again is one row, at its first line", async () => {
  const dataDir = join(folder, "once");
  const store = await openStore({ dataDir });
  const seen = (line: number) => madeObservation({ key: "k1", line });
  await deliver(store, { id: "b1" }, { observations: [seen(5), seen(9)] });
  expect(await store.append("b1", rowsOf({ observations: [seen(2), seen(7)] }), NO_COUNTS)).toEqual({ duplicates: 2 });
  await deliver(store, { id: "b2" }, { observations: [seen(1)] });
  expect((await store.observationsByKey(["k1"])).map((row) => row.line)).toEqual([1]);
  await store.dropBatch("b2");
  expect((await store.observationsByKey(["k1"])).map((row) => row.line)).toEqual([2]);
  await store.close();
  const plain = new Database(join(dataDir, "coalmine.db"), { readonly: true });
  expect(plain.prepare("SELECT line FROM observations").all()).toEqual([{ line: 2 }]);
  plain.close();
});

storeConformance("a SQLite file", () => openStore({ dataDir: join(folder, String(opened++)) }));
