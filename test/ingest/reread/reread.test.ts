import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteStore } from "@/db/sqlite/sqlite-store";
import { BUILT_IN } from "@/server/classify/classifier";
import type { Store } from "@/server/domain/store";
import type { Readers } from "@/server/ingest/detect-names";
import { ENVELOPES } from "@/server/ingest/envelopes/list";
import { FORMATS } from "@/server/ingest/formats/list";
import { rereaderOf } from "@/server/ingest/reread/rereader";
import { settleQueued } from "@/server/ingest/settle-joined";
import { Reclassifier } from "@/server/reclassify/reclassifier";
import { zipOf } from "../../support/archives";
import { everything, openMemory, picture, rejects, send } from "../../support/deliveries";

const CASES = new URL("../../cases/", import.meta.url);
/** A collector's record whose text is not what it parsed: only its text is kept. */
const NOT_WHOLE = "043-fluentbit-duplicates.jsonl";
const FILES = readdirSync(CASES).filter((name) => /^\d{3}-/.test(name) && name !== NOT_WHOLE);
const ALL: Readers = { formats: FORMATS, envelopes: ENVELOPES };
/** Never left out: what nothing at all understands is refused. */
const KEPT = ["console"];

const without = (names: readonly string[]): Readers => ({
  envelopes: ENVELOPES,
  formats: FORMATS.filter((one) => !names.includes(one.name)),
});

async function deliver(store: Store, names: readonly string[], readers: Readers): Promise<void> {
  for (const name of names) {
    const options = { ...readers, name };
    await send(store, readFileSync(new URL(name, CASES)), { run: null, source: name }, options).catch(() => undefined);
  }
}

async function readAgain(store: Store, readers = ALL): Promise<Reclassifier> {
  const job = new Reclassifier(store, BUILT_IN, rereaderOf(store, BUILT_IN, readers));
  await job.start("run");
  await job.idle();
  expect((await job.state()).problem).toBeNull();
  return job;
}

/** All that a user can see of the deliveries of these names, whatever their ids are. */
async function seen(store: Store, names: readonly string[]): Promise<unknown> {
  const batches = await everything((page) => store.batches({}, page));
  const told = batches
    .filter((one) => names.includes(one.source))
    .map(async ({ id, source, records, observations, rollouts, routine, rejected, format }) => ({
      ...{ source, records, observations, rollouts, routine, rejected, format },
      rejects: (await rejects(store, id)).map(({ line, code, message }) => [line, code, message]),
    }));
  const observed = await store.countObservations({});
  const sightings = await store.countSightings({});
  const deliveries = (await Promise.all(told)).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return { deliveries, ...((await picture(store)) as object), observed, sightings };
}

let store: Store;
beforeEach(async () => {
  store = await openMemory();
});
afterEach(() => store.close());

describe("lines that are read again", () => {
  test("give what they would have given at first, whichever formats were missing then", async () => {
    const droppable = FORMATS.map((one) => one.name).filter((name) => !KEPT.includes(name));
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(FILES, { minLength: 1, maxLength: 3 }),
        fc.subarray(droppable, { minLength: 1 }),
        async (files, missing) => {
          const older = await openSqliteStore({ dataDir: ":memory:" });
          const fresh = await openSqliteStore({ dataDir: ":memory:" });
          await deliver(older, files, without(missing));
          const batches = await everything((page) => older.batches({}, page));
          // What older readers refused was never stored.
          const stored = files.filter((name) => batches.some((one) => one.source === name));
          await deliver(fresh, stored, ALL);
          await readAgain(older);
          expect(await seen(older, stored)).toEqual(await seen(fresh, stored));
          const first = await seen(older, stored);
          const again = await readAgain(older);
          expect((await again.state()).last?.reread ?? null).toBeNull();
          expect(await seen(older, stored)).toEqual(first);
          await Promise.all([older.close(), fresh.close()]);
        },
      ),
      { numRuns: 8, examples: [[["044-otlp-k8s-events.json"], ["kubectl", "json-lines"]]] },
    );
  });

  test("are those of which all is kept; the others are counted, and what they gave stays", async () => {
    await deliver(store, [NOT_WHOLE], without(["execd"]));
    const before = (await seen(store, [NOT_WHOLE])) as { sightings: unknown };
    const { last } = await (await readAgain(store)).state();
    expect(last?.reread).toMatchObject({ deliveries: 1, lines: 9, left: { cut: 1, older: 0 } });
    expect(await seen(store, [NOT_WHOLE])).toMatchObject({ sightings: before.sightings });
  });

  test("are joined again where deliveries cut a record in two", async () => {
    const at = (i: number) => `2026-11-20T10:00:00.${String(i).padStart(3, "0")}000${i}Z stderr F`;
    const record = [
      "2026-11-20 10:00:00,001 ERROR harness: sandbox=0e1f create failed",
      "Traceback (most recent call last):",
      '  File "/app/pool.py", line 10, in connect',
      "httpx.ReadTimeout: timed out",
      "2026-11-20 10:00:00,009 WARNING harness: sandbox=0e1f retrying",
    ];
    const lines = record.map((text, i) => `${at(i)} ${text}\n`);
    const parts = [lines.slice(0, 2).join(""), lines.slice(2).join("")];
    const fresh = await openMemory();
    for (const part of parts) await send(fresh, part, { run: "r" });
    for (const part of parts) await send(store, part, { run: "r" }, without(["python-log"]));
    expect((await fresh.observationsOf(["sandbox:default/0e1f"])).map((one) => one.text).join("\n")).toMatch(
      /failed\nTraceback.*timed out/s,
    );
    expect(await picture(store)).not.toEqual(await picture(fresh));
    await readAgain(store);
    expect(await seen(store, ["test"])).toEqual(await seen(fresh, ["test"]));
  });

  test("are joined again also with a part that came long ago and was no evidence by itself", async () => {
    const line = (hour: number, text: string) => `2026-11-20T1${hour}:00:00.000000001Z stderr F ${text}\n`;
    const began = line(0, "2026-11-20 10:00:00,000 ERROR harness: sandbox=0e1f create failed: ReadTimeout");
    await send(store, began + line(0, "Traceback (most recent call last):"), { run: "r" });
    await send(store, line(0, '  File "/app/pool.py", line 10, in connect'), { run: "r" });
    const whole = await store.observationsOf(["sandbox:default/0e1f"]);
    expect(whole).toMatchObject([{ text: expect.stringMatching(/Traceback.*in connect$/s) }]);
    await send(store, line(3, "2026-11-20 13:00:00,000 INFO harness: on we go"), { run: "r" });
    for (const { id } of await everything((page) => store.batches({}, page))) {
      const job = new Reclassifier(store, BUILT_IN, rereaderOf(store, BUILT_IN));
      await job.start("run", { batch: id });
      await job.idle();
      expect(await store.observationsOf(["sandbox:default/0e1f"])).toEqual(whole);
    }
  });

  test("of a bundle's files, with secrets, count once beside what another collector sent", async () => {
    const failed = (name: string) =>
      `2026-10-10 10:00:00,000 ERROR harness ConnectTimeout: sandbox ${name} password="hunter2hunter2"`;
    const body = zipOf({ "a/one.log": `${failed("s1")}\n${failed("s1")}\n`, "b/two.log": `${failed("s2")}\n` });
    const pod = { pod_name: "p", pod_id: "u", namespace_name: "ns", container_name: "main", host: "n1" };
    const shipped = `${JSON.stringify({ date: 1791300001.5, log: failed("s3"), kubernetes: pod })}\n`;
    const all = async (into: Store, readers: Readers) => {
      await send(into, body, { run: "r", source: "z" }, { name: "logs.zip", ...readers });
      for (const source of ["c1", "c2"]) await send(into, shipped, { run: "r", source }, readers);
    };
    const fresh = await openMemory();
    await all(fresh, ALL);
    await all(store, without(["python-log"]));
    await readAgain(store);
    expect(await seen(store, ["z", "c1", "c2"])).toEqual(await seen(fresh, ["z", "c1", "c2"]));
    const { batches } = await store.readOtherwise("another");
    expect(batches).toHaveLength(3);
    await store.dropBatch(batches[1] as string);
    await fresh.dropBatch((await fresh.readOtherwise("another")).batches[1] as string);
    await Promise.all([settleQueued(store), settleQueued(fresh)]);
    expect(await picture(store)).toEqual(await picture(fresh));
  });
});

describe("reading again", () => {
  const MANY = Array.from({ length: 12_000 }, (_, i) => {
    const at = new Date(Date.parse("2026-11-20T10:00:00Z") + i * 10).toISOString().slice(0, 23).replace("T", " ");
    const head = at.replace(".", ",");
    if (i % 200 > 0) return `${head} INFO harness: step ${i}\n`;
    const raised =
      'Traceback (most recent call last):\n  File "/app/x.py", line 3, in go\nhttpx.ConnectTimeout: timed out\n';
    return `${head} ERROR harness: sandbox=s${i} httpx.ConnectTimeout: timed out\n${i % 400 > 0 ? raised : ""}`;
  }).join("");

  async function begun(): Promise<Reclassifier> {
    await send(store, MANY, { run: "r", source: "many" }, without(["python-log"]));
    await send(store, MANY.slice(0, 5000), { run: "q", source: "few" }, without(["python-log"]));
    const job = new Reclassifier(store, BUILT_IN, rereaderOf(store, BUILT_IN));
    await job.start("run");
    await expect.poll(async () => (await job.state()).done, { interval: 1, timeout: 20_000 }).toBeGreaterThan(0);
    return job;
  }

  test("goes on at the next start where it was stopped, and comes to the same", async () => {
    const stopped = await begun();
    await stopped.stop();
    const next = new Reclassifier(store, BUILT_IN, rereaderOf(store, BUILT_IN));
    expect((await next.state()).unread.deliveries).toBeGreaterThan(0);
    await next.resume();
    await next.idle();
    expect(await next.state()).toMatchObject({ problem: null, unread: { deliveries: 0, lines: 0 } });
    const fresh = await openMemory();
    await send(fresh, MANY, { run: "r", source: "many" });
    await send(fresh, MANY.slice(0, 5000), { run: "q", source: "few" });
    expect(await seen(store, ["many", "few"])).toEqual(await seen(fresh, ["many", "few"]));
  });

  test("that is cancelled does not go on by itself, and is offered again", async () => {
    const job = await begun();
    expect(await job.cancel()).toMatchObject({ state: "idle", problem: null, last: null });
    const next = new Reclassifier(store, BUILT_IN, rereaderOf(store, BUILT_IN));
    await next.resume();
    expect(await next.state()).toMatchObject({ state: "idle" });
    expect((await next.state()).unread.deliveries).toBeGreaterThan(0);
  });

  test("leaves a delivery alone that is undone meanwhile", async () => {
    const job = await begun();
    const { batches } = await store.readOtherwise("another");
    await store.dropBatch(batches[0] as string);
    await job.idle();
    expect(await job.state()).toMatchObject({ problem: null, unread: { deliveries: 0 } });
    const left = await everything((page) => store.batches({}, page));
    expect(left.map((one) => one.source)).toEqual(["few"]);
    const fresh = await openMemory();
    await send(fresh, MANY.slice(0, 5000), { run: "q", source: "few" });
    expect(await seen(store, ["few"])).toEqual(await seen(fresh, ["few"]));
  });

  test("is foretold by its preview, which changes nothing", async () => {
    await send(store, MANY.slice(0, 20_000), { run: "r" }, without(["python-log"]));
    const before = await seen(store, ["test"]);
    const version = await store.dataVersion();
    const job = new Reclassifier(store, BUILT_IN, rereaderOf(store, BUILT_IN));
    await job.start("preview");
    await job.idle();
    const { preview, problem, unread } = await job.state();
    expect(problem).toBeNull();
    expect(unread).toMatchObject({ deliveries: 1, older: 0 });
    expect([await seen(store, ["test"]), await store.dataVersion()]).toEqual([before, version]);
    const incidents = preview?.incidents.find((move) => move.after === "transport.connect_timeout");
    await job.start("run");
    await job.idle();
    expect((await job.state()).last?.reread).toEqual(preview?.reread);
    const now = await store.countIncidents({ classes: ["transport.connect_timeout"] }, []);
    expect(now[0]?.incidents).toBe(incidents?.n);
  });

  test("of one delivery does so whichever version read it", async () => {
    const { batchId } = await send(store, MANY.slice(0, 5000), { run: "r" });
    const job = new Reclassifier(store, BUILT_IN, rereaderOf(store, BUILT_IN));
    await job.start("run", { batch: batchId });
    await job.idle();
    expect((await job.state()).last?.reread).toMatchObject({ deliveries: 1, comes: 0, goes: 0, changes: 0 });
  });
});
