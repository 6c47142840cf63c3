import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteStore } from "@/db/sqlite/sqlite-store";
import type { RolloutDim, Store } from "@/server/domain/store";
import { deliverJudged, madeRollout, madeVerdict, T0 } from "./made-rows";

const HOUR = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), "coalmine-rollups-"));
let store: Store;
let plain: Database.Database;
let asked: string[] = [];
let n = 0;

beforeEach(async () => {
  const dataDir = join(folder, String(++n));
  store = await openSqliteStore({ dataDir, onQuestion: (text) => asked.push(text) });
  plain = new Database(join(dataDir, "coalmine.db"), { readonly: true });
});
afterEach(async () => {
  plain.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function rowsIn(table: string): number {
  return (plain.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
}

/** Rollouts of two runs, one an hour. */
async function deliver(batch = "b1", rollouts = 20): Promise<void> {
  await deliverJudged(
    store,
    batch,
    Array.from({ length: rollouts }, (_, i) => {
      const record = madeRollout({
        id: `${batch}-${i}`,
        run: i % 2 ? "r1" : "r2",
        endedAt: T0 + i * HOUR,
        reward: 0.1,
      });
      return [record, { node: `n${i % 3}`, verdict: i % 4 ? "passed" : "infra_failed", family: i % 4 ? null : "oom" }];
    }),
  );
}

async function count(by: RolloutDim[], filter = {}) {
  asked = [];
  return store.countRollouts(filter, by, { bucketMs: 24 * HOUR });
}

describe("rollouts counted ahead", () => {
  test("are counted once deriving is done, and read instead of verdicts", async () => {
    await deliver();
    expect(rowsIn("dirty_cells")).toBe(0);
    expect(rowsIn("run_cells")).toBe(20);
    expect(await count(["verdict"])).toMatchObject([
      { key: ["infra_failed"], n: 5, infraFailed: 5, passed: 0, rewarded: 5 },
      { key: ["passed"], n: 15, infraFailed: 0, passed: 15, rewarded: 15 },
    ]);
    expect(asked[0]).toContain("FROM run_days");
    expect(await count(["node", "bucket"], { nodes: ["n1"] })).toHaveLength(2);
    expect(asked[0]).toContain("FROM node_days");
  });

  test("are added up per day for what is asked of days, and read by the hour for what is asked of hours", async () => {
    await deliver();
    expect(rowsIn("dirty_days")).toBe(0);
    expect(rowsIn("run_days")).toBeLessThan(rowsIn("run_cells"));
    expect((await store.countRollouts({}, ["bucket"], { bucketMs: HOUR })).map((row) => row.n)).toEqual(
      Array.from({ length: 20 }, () => 1),
    );
    expect(asked.at(-1)).not.toContain("_days");
    expect((await count([], { from: Math.floor(T0 / HOUR) * HOUR + HOUR }))[0]?.n).toBeLessThan(20);
    expect(asked.at(-1)).not.toContain("_days");
  });

  test("are not asked what they do not know: tasks, texts, single attempts, parts of an hour", async () => {
    await deliver();
    for (const filter of [{ tasks: ["task-1"] }, { text: "task" }, { effectiveOnly: false }, { from: T0 + 1 }]) {
      expect((await count([], filter))[0]?.n).toBe("from" in filter ? 19 : 20);
      expect(asked[0]).not.toContain("_cells");
    }
    expect(await count(["task"])).toMatchObject([{ key: ["task-1"], n: 20 }]);
  });

  test("of a changed hour go, and that hour is counted as it is while more waits to be derived", async () => {
    await deliver();
    const record = madeRollout({ id: "b1-0", run: "r2", endedAt: T0, reward: 0.1 });
    const settle = { refs: [], subjects: [], incidents: [] };
    const verdicts = [madeVerdict(record, { content: "content-of-b1-0", verdict: "failed" })];
    await store.settle({ ...settle, groups: [record.group], verdicts, queue: ["sandbox:default/later"] });
    expect([rowsIn("dirty_cells"), rowsIn("dirty_days")]).toEqual([1, 1]);
    expect(rowsIn("run_cells")).toBe(19);
    expect((await count(["verdict"])).map((row) => [row.key[0], row.n])).toEqual([
      ["failed", 1],
      ["infra_failed", 4],
      ["passed", 15],
    ]);
    await store.settle({ ...settle, refs: ["sandbox:default/later"], groups: [], verdicts: [], queue: [] });
    expect([rowsIn("dirty_cells"), rowsIn("run_cells"), rowsIn("dirty_days")]).toEqual([0, 20, 0]);
    expect((await count(["verdict"])).map((row) => row.n)).toEqual([1, 4, 15]);
  });

  test("know which run changed: what is known of the others stays known", async () => {
    await deliver();
    const before = [await store.dataVersion(["r1"]), await store.dataVersion(["r2"])];
    await deliverJudged(store, "b2", [[madeRollout({ id: "new", run: "r2" }), {}]]);
    expect(await store.dataVersion(["r1"])).toBe(before[0]);
    expect(await store.dataVersion(["r2"])).toBeGreaterThan(before[1] ?? 0);
    expect(await store.dataVersion(["r1", "r2"])).toBe(await store.dataVersion(["r2"]));
  });

  test("are those of no other run after one run went", async () => {
    await deliver();
    await store.closeBatch("b1", "d1", "gym", T0);
    await store.dropRun(["r1"]);
    expect((await count(["run"])).map((row) => [row.key[0], row.n])).toEqual([["r2", 10]]);
  });
});
