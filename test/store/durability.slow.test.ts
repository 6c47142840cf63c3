import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "@/db/open-store";
import { deliver, madeObservation, T0 } from "./made-rows";
import { buildWriter, startWriter, type Writer } from "./store-process";

const SEGMENT = 40;
let program: string;
let removeProgram: () => void;
let folder: string;
const writers: Writer[] = [];

beforeAll(async () => {
  ({ program, remove: removeProgram } = await buildWriter());
});
afterAll(() => removeProgram());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coalmine-store-"));
});
afterEach(async () => {
  for (const writer of writers.splice(0)) await writer.kill();
  rmSync(folder, { recursive: true, force: true });
});

function start(batchId: string): Writer {
  const writer = startWriter(program, folder, batchId);
  writers.push(writer);
  return writer;
}

describe("a store in a folder", () => {
  test("holds whole segments, and every one that was acknowledged, after its writer is killed", async () => {
    for (const [batchId, segments] of [
      ["b1", 5],
      ["b2", 23],
      ["b3", 60],
    ] as const) {
      const writer = start(batchId);
      await writer.until(segments);
      await writer.kill();
      const store = await openStore({ dataDir: folder });
      const batch = await store.batch(batchId);
      const kept = (batch?.records ?? 0) / SEGMENT;
      // A segment may have become durable in the moment between its commit and the word of it.
      expect(kept - writer.acknowledged()).toBeGreaterThanOrEqual(0);
      expect(kept - writer.acknowledged()).toBeLessThanOrEqual(1);
      const keys = Array.from({ length: kept + 2 }, (_, n) =>
        Array.from({ length: SEGMENT }, (_, i) => `${batchId}-${n}-${i}`),
      );
      const observations = await store.observationsByKey(keys.flat());
      expect(observations).toHaveLength(kept * SEGMENT);
      expect(await store.rolloutsOfIds(keys.flat())).toHaveLength(kept * SEGMENT);
      expect(await store.factsOf(observations.flatMap((o) => o.refs))).toHaveLength(kept * SEGMENT);
      expect(batch?.state).toBe("receiving");
      await store.dropBatch(batchId);
      expect(await store.unsettledCount()).toBeGreaterThanOrEqual(kept * SEGMENT);
      await store.close();
    }
  });

  test("shows a reader whole segments while a writer writes", async () => {
    const writer = start("b1");
    await writer.until(1);
    const reader = await openStore({ dataDir: folder, readOnly: true });
    let before = 0;
    for (let look = 0; look < 20; look++) {
      await writer.until(writer.acknowledged() + 1);
      const said = writer.acknowledged();
      const [count] = await reader.countObservations({ runs: ["r1"] });
      const segments = (count?.n ?? 0) / SEGMENT;
      expect(segments).toBe(Math.floor(segments));
      expect(segments).toBeGreaterThanOrEqual(Math.max(said, before));
      before = segments;
    }
    await reader.close();
  });

  test("has one writer; a second is told so, and gets in when the first has gone", async () => {
    const first = await openStore({ dataDir: folder });
    await expect(openStore({ dataDir: folder })).rejects.toMatchObject({ code: "unavailable" });
    await first.close();
    const second = await openStore({ dataDir: folder });
    await second.close();
    const killed = start("b1");
    await killed.until(1);
    await expect(openStore({ dataDir: folder })).rejects.toMatchObject({ code: "unavailable" });
    await killed.kill();
    await (await openStore({ dataDir: folder })).close();
  });

  test("is unavailable to a reader before a writer set it up, and to everyone once closed", async () => {
    await expect(openStore({ dataDir: folder, readOnly: true })).rejects.toMatchObject({ code: "unavailable" });
    const store = await openStore({ dataDir: folder });
    const reader = await openStore({ dataDir: folder, readOnly: true });
    await expect(reader.putSetting("a", "b")).rejects.toMatchObject({ code: "unavailable" });
    await store.close();
    await expect(store.batch("b1")).rejects.toMatchObject({ code: "unavailable" });
    await reader.close();
    await expect(reader.dataVersion()).rejects.toMatchObject({ code: "unavailable" });
  });

  test("says what is wrong with a folder, or with the place of its migrations", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    await expect(openStore({ dataDir: join(file, "below") })).rejects.toMatchObject({ code: "unavailable" });
    await expect(openStore({ dataDir: folder, migrationsFolder: file })).rejects.toThrow(`not in ${file}`);
    writeFileSync(join(folder, "coalmine.db"), "not a database, and longer than its header is ".repeat(20));
    await expect(openStore({ dataDir: folder })).rejects.toMatchObject({ code: "unavailable" });
  });

  test("says storage_full when it has no room, and keeps what it had", async () => {
    const store = await openStore({ dataDir: folder, maxBytes: 1_500_000 });
    const rows = (n: number) =>
      Array.from({ length: 200 }, (_, i) => madeObservation({ key: `${n}-${i}`, text: "x".repeat(2000) }));
    await deliver(store, { id: "b0" }, { observations: rows(0) });
    await expect(
      deliver(store, { id: "b1" }, { observations: [rows(1), rows(2), rows(3), rows(4)].flat() }),
    ).rejects.toMatchObject({ code: "storage_full" });
    expect(await store.countObservations({})).toMatchObject([{ n: 200 }]);
    await store.dropBatch("b0");
    await store.closeBatch("b1", "d1", "execd", T0);
    await deliver(store, { id: "b2" }, { observations: rows(5) });
    expect(await store.countObservations({})).toMatchObject([{ n: 200 }]);
    expect(await store.bytes()).toBeGreaterThan(400_000);
    await store.close();
  });

  test("finishes at the next start a drop that was cut short", async () => {
    const store = await openStore({ dataDir: folder });
    const rows = Array.from({ length: 12_000 }, (_, i) => madeObservation({ key: `${i}` }));
    await deliver(store, { id: "b1" }, { observations: rows });
    const cut = store.dropBatch("b1");
    await new Promise((resolve) => setImmediate(resolve));
    await store.close();
    await expect(cut).rejects.toMatchObject({ code: "unavailable" });
    const again = await openStore({ dataDir: folder });
    expect(await again.batch("b1")).toBeNull();
    expect(await again.countObservations({})).toEqual([]);
    await again.close();
  });
});
