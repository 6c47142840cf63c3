import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunksOf, incidents, observations, openMemory, picture, rollouts, send } from "../support/deliveries";

const caseFile = (name: string) => readFileSync(new URL(`../cases/${name}`, import.meta.url));
const CASE_043 = caseFile("043-fluentbit-duplicates.jsonl").toString("utf8");
const CASE_002 = caseFile("002-gym-rollouts-and-failures.jsonl").toString("utf8");

const allBatches = async (store: Awaited<ReturnType<typeof openMemory>>) =>
  (await store.batches({}, { limit: 1000, cursor: null })).items;

describe("a delivery", () => {
  test("sent twice changes nothing the second time and says so", async () => {
    const store = await openMemory();
    const first = await send(store, CASE_043);
    const version = await store.dataVersion();
    const second = await send(store, CASE_043);
    expect(second).toEqual({ ...first, duplicateBatch: true, rejects: [] });
    expect(await store.dataVersion()).toBe(version);
    expect(await allBatches(store)).toHaveLength(1);
  });

  test("with the same bytes under another run is another delivery", async () => {
    const store = await openMemory();
    await send(store, CASE_002, { run: "a" });
    expect((await send(store, CASE_002, { run: "b" })).duplicateBatch).toBe(false);
    expect(await rollouts(store)).toHaveLength(18);
  });

  test("longer than a segment is found to be a duplicate when it ends, and leaves nothing behind", async () => {
    const store = await openMemory();
    const segment = { bytes: 1000, rows: 3 };
    const first = await send(store, CASE_043, {}, { segment });
    const before = await picture(store);
    const second = await send(store, CASE_043, {}, { segment });
    expect(second).toMatchObject({ batchId: first.batchId, duplicateBatch: true });
    expect(await picture(store)).toEqual(before);
    expect(await allBatches(store)).toHaveLength(1);
  });

  test("gives the same picture in one segment or in many, in chunks of any size", async () => {
    const whole = await openMemory();
    await send(whole, CASE_043);
    for (const size of [1, 37, 4096]) {
      const store = await openMemory();
      await send(store, chunksOf(CASE_043, size), {}, { segment: { bytes: 500, rows: 2, records: 2 } });
      expect(await picture(store)).toEqual(await picture(whole));
    }
  });

  test("counts what came of its lines, and shows them as stored", async () => {
    const store = await openMemory();
    const result = await send(store, CASE_002, { run: "r" });
    expect(result).toMatchObject({ records: 10, rollouts: 9, rejected: 1, format: "gym-rollouts" });
    expect(result.rejects).toEqual([{ line: 10, code: "incomplete", message: expect.any(String) }]);
    expect(await store.batch(result.batchId)).toMatchObject({
      state: "complete",
      records: 10,
      rollouts: 9,
      rejected: 1,
      bytes: result.bytes,
    });
  });

  test("that is empty is no error", async () => {
    const store = await openMemory();
    expect(await send(store, "")).toMatchObject({ records: 0, rejected: 0 });
    expect(await send(store, "\n\n \n", { source: "b" })).toMatchObject({ records: 0, rejected: 0 });
  });
});

describe("the same records", () => {
  test("in any order, repeated, and split over deliveries give the same picture", async () => {
    const lines = CASE_043.trimEnd().split("\n");
    const whole = await openMemory();
    await send(whole, CASE_043);
    const expected = withoutTexts(await picture(whole));
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(lines, { minLength: lines.length }),
        fc.array(fc.nat(lines.length - 1), { maxLength: 4 }),
        fc.nat(lines.length),
        async (shuffled, again, cut) => {
          const store = await openMemory();
          const all = [...shuffled, ...again.map((i) => lines[i] as string)];
          await send(store, all.slice(0, cut).join("\n"));
          await send(store, all.slice(cut).join("\n"), { source: "other" });
          expect(withoutTexts(await picture(store))).toEqual(expected);
          await store.close();
        },
      ),
      { numRuns: 25 },
    );
  });

  test("brought by two collectors are one observation", async () => {
    const store = await openMemory();
    const log =
      '{"level":"error","ts":"2026-10-06T15:20:01.100Z","msg":"StreamEvent.OnExecuteStdout: client disconnected"}';
    const pod = {
      pod_name: "p-0",
      namespace_name: "sandboxes",
      pod_id: "uid-1",
      host: "n-1",
      container_name: "sandbox",
    };
    const fluent = { date: 1791300001.1, stream: "stdout", log, kubernetes: pod };
    const vector = {
      timestamp: "2026-10-06T15:20:01.1Z",
      message: log,
      stream: "stdout",
      kubernetes: {
        pod_name: "p-0",
        pod_namespace: "sandboxes",
        pod_uid: "uid-1",
        pod_node_name: "n-1",
        container_name: "sandbox",
      },
    };
    await send(store, `${JSON.stringify(fluent)}\n`, { source: "fluent" });
    const second = await send(store, `${JSON.stringify(vector)}\n`, { source: "vector" });
    expect(second).toMatchObject({ observations: 1, duplicates: 1 });
    expect(await observations(store, ["pod:default/uid-1"])).toHaveLength(1);
    expect(await incidents(store)).toHaveLength(1);
  });

  test("in a plain file count as often as one file has them", async () => {
    const line = "2026-10-10 10:00:00,000 ERROR harness run=r-1 ServerDisconnectedError: Server disconnected";
    const store = await openMemory();
    await send(store, `${line}\n${line}\n`);
    await send(store, `${line}\nother\n`);
    expect(await observations(store, ["attempt:default/-/test/r-1"])).toHaveLength(2);
  });
});

/** Which delivery's copy of a row is shown depends on the order; what it says does not. */
function withoutTexts(seen: unknown): unknown {
  return JSON.parse(JSON.stringify(seen, (name, value) => (name === "source" ? undefined : value)));
}

describe("deliveries at the same time", () => {
  test("do not mix, and one of two equal ones is the duplicate", async () => {
    const store = await openMemory();
    const segment = { bytes: 700, rows: 2 };
    const results = await Promise.all([
      send(store, chunksOf(CASE_043, 300), {}, { segment }),
      send(store, chunksOf(CASE_043, 300), {}, { segment }),
      send(store, chunksOf(CASE_002, 300), { run: "r" }, { segment }),
    ]);
    expect(results.map((result) => result.duplicateBatch).filter(Boolean)).toHaveLength(1);
    const apart = await openMemory();
    await send(apart, CASE_043);
    await send(apart, CASE_002, { run: "r" });
    expect(await picture(store)).toEqual(await picture(apart));
  });
});
