import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CoalmineError } from "@/server/domain/errors";
import type { Store } from "@/server/domain/store";
import type { NewUpload } from "@/server/domain/upload";
import { ingest } from "@/server/ingest/ingest";
import { Uploads, type UploadsOptions } from "@/server/uploads/uploads";
import { openMemory, PARAMS } from "../support/deliveries";

const ROWS = Array.from(
  { length: 40 },
  (_, task) =>
    `${JSON.stringify({ _ng_task_index: task, _ng_rollout_index: 0, reward: 1, instance_id: `t-${task}` })}\n`,
).join("");
const BYTES = Buffer.from(ROWS);
const ABOUT = { ...PARAMS, run: "r", source: "s" };
const DAY = 24 * 3600 * 1000;

let folder: string;
let store: Store;
let opened: Uploads[] = [];
let now = Date.UTC(2026, 7, 1);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "coalmine-uploads-"));
  store = await openMemory();
  now = Date.now();
});
afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(options: Partial<UploadsOptions> = {}): Promise<Uploads> {
  const uploads = await Uploads.open({
    folder,
    mostBytes: 1_000_000,
    maxBodyBytes: 500_000,
    ingest: ({ params, name, encoding, body, signal }) =>
      ingest(store, params, body, { receivedAt: 0, name, encoding, signal }),
    now: () => now,
    ...options,
  });
  opened.push(uploads);
  return uploads;
}

function file(more: Partial<NewUpload> = {}): NewUpload {
  return { name: "a.jsonl", size: BYTES.length, params: ABOUT, encoding: null, fingerprint: null, ...more };
}

async function* piece(from: number, to = BYTES.length, by = 100): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += by) yield BYTES.subarray(at, Math.min(to, at + by));
}

/** Sends a part and then nothing any more, without ever ending. */
async function* silentAfter(to: number): AsyncGenerator<Uint8Array> {
  yield BYTES.subarray(0, to);
  await new Promise(() => undefined);
}

const complete = async () => (await store.batches({ states: ["complete"] }, { limit: 10, cursor: null })).items;

describe("a file in pieces", () => {
  test("is one delivery when it is whole, and leaves no bytes", async () => {
    const uploads = await open();
    const { id, offset } = await uploads.create(file());
    expect(offset).toBe(0);
    expect((await uploads.append(id, 0, piece(0, 500))).offset).toBe(500);
    await uploads.append(id, 500, piece(500));
    const done = await uploads.complete(id);
    expect(done).toMatchObject({ state: "done", result: { rollouts: 40, duplicateBatch: false, bytes: BYTES.length } });
    expect(readdirSync(folder)).toEqual([`${id}.json`]);
    expect((await complete()).map((batch) => [batch.name, batch.run])).toEqual([["a.jsonl", "r"]]);
  });

  test("is read without being asked for, and asking twice reads it once", async () => {
    const uploads = await open();
    const { id } = await uploads.create(file());
    await uploads.append(id, 0, piece(0));
    await expect.poll(() => uploads.get(id).state, { timeout: 10_000 }).toBe("done");
    const [one, other] = await Promise.all([uploads.complete(id), uploads.complete(id)]);
    expect(one.result).toEqual(other.result);
    expect(await complete()).toHaveLength(1);
  });

  test("whose last byte has just come is not given up under its reader", async () => {
    const uploads = await open();
    const { id } = await uploads.create(file());
    const sending = uploads.append(id, 0, silentAfter(BYTES.length));
    await expect.poll(() => uploads.get(id).offset).toBe(BYTES.length);
    await expect(Promise.all([uploads.remove(id), sending.catch(() => undefined)])).rejects.toMatchObject({
      code: "conflict",
    });
    expect((await uploads.complete(id)).state).toBe("done");
  });

  test("goes on only from where it stopped, and keeps what came before a break", async () => {
    const uploads = await open();
    const { id } = await uploads.create(file());
    async function* broken() {
      yield BYTES.subarray(0, 300);
      throw new Error("socket hang up");
    }
    await expect(uploads.append(id, 0, broken())).rejects.toThrow("hang up");
    expect(uploads.get(id).offset).toBe(300);
    await expect(uploads.append(id, 0, piece(0))).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("300"),
    });
    await expect(uploads.complete(id)).rejects.toMatchObject({ code: "conflict" });
    await uploads.append(id, 300, piece(300));
    expect((await uploads.complete(id)).result?.rollouts).toBe(40);
  });

  test("is taken over from a connection that is silent", async () => {
    const uploads = await open();
    const { id } = await uploads.create(file());
    const lost = uploads.append(id, 0, silentAfter(200));
    await expect.poll(() => uploads.get(id).offset, { timeout: 10_000 }).toBe(200);
    const [first, second] = await Promise.allSettled([lost, uploads.append(id, 200, piece(200))]);
    expect(first).toMatchObject({ status: "rejected", reason: { code: "conflict" } });
    expect(second).toMatchObject({ status: "fulfilled", value: { offset: BYTES.length } });
  });

  test("longer than was said is refused, and what was said is kept", async () => {
    const uploads = await open();
    const { id } = await uploads.create(file({ size: 150 }));
    await expect(uploads.append(id, 0, piece(0))).rejects.toMatchObject({ code: "too_large" });
    expect(uploads.get(id).offset).toBe(100);
  });

  test("is found again by the same name, size, parameters and fingerprint, and by nothing less", async () => {
    const uploads = await open();
    const first = await uploads.create(file({ fingerprint: "f" }));
    await uploads.append(first.id, 0, piece(0, 100));
    expect(await uploads.create(file({ fingerprint: "f" }))).toMatchObject({ id: first.id, offset: 100 });
    for (const other of [{ fingerprint: "g" }, { fingerprint: "f", name: "b" }, { fingerprint: "f", size: 9 }])
      expect((await uploads.create(file(other))).id).not.toBe(first.id);
    const elsewhere = file({ fingerprint: "f", params: { ...ABOUT, run: "other" } });
    expect((await uploads.create(elsewhere)).id).not.toBe(first.id);
  });
});

describe("an end of the process", () => {
  test("keeps what had come, and the next one goes on", async () => {
    const before = await open();
    const { id } = await before.create(file());
    await before.append(id, 0, piece(0, 700));
    await before.close();
    const after = await open();
    expect(after.get(id).offset).toBe(700);
    await after.append(id, 700, piece(700));
    expect((await after.complete(id)).result?.rollouts).toBe(40);
  });

  test("before a whole file was read: the next process reads it", async () => {
    const before = await open({ ingest: () => new Promise(() => undefined) });
    const { id } = await before.create(file());
    await before.append(id, 0, piece(0));
    const after = await open();
    await expect.poll(() => after.get(id).state, { timeout: 10_000 }).toBe("done");
    opened = [after];
  });

  test("between the delivery and its note: it is read again and found known", async () => {
    const uploads = await open();
    const { id } = await uploads.create(file());
    await uploads.append(id, 0, piece(0));
    const first = await uploads.complete(id);
    // As if the note had never been written.
    const record = { ...file(), id, state: "receiving", createdAt: now, result: null, problem: null };
    writeFileSync(join(folder, `${id}.json`), JSON.stringify(record));
    writeFileSync(join(folder, `${id}.part`), BYTES);
    const again = await (await open()).complete(id);
    expect(again.result).toMatchObject({ duplicateBatch: true, batchId: first.result?.batchId });
    expect(await complete()).toHaveLength(1);
  });

  test("leaves nothing that cannot be told: bytes without a record, a record that is torn", async () => {
    writeFileSync(join(folder, "x.part"), "abc");
    writeFileSync(join(folder, "y.json"), '{"id":');
    expect((await open()).list()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("what goes wrong", () => {
  test("a file that nobody understands is refused once, with the reason, and its bytes go", async () => {
    const noise = Buffer.from([0, 1, 2, 3, 255, 254].concat(Array(3000).fill(7)));
    const uploads = await open();
    const { id } = await uploads.create(file({ size: noise.length, params: { ...ABOUT, format: "gym-rollouts" } }));
    async function* body() {
      yield noise;
    }
    await uploads.append(id, 0, body());
    await expect(uploads.complete(id)).rejects.toMatchObject({ code: "invalid" });
    expect(uploads.get(id)).toMatchObject({ state: "failed", problem: { code: "invalid" } });
    expect(existsSync(join(folder, `${id}.part`))).toBe(false);
  });

  test("a busy server keeps the bytes until it can read them", async () => {
    let busy = true;
    const uploads = await open({
      ingest: ({ params, name, encoding, body, signal }) => {
        if (busy) throw new CoalmineError("busy", "later");
        return ingest(store, params, body, { receivedAt: 0, name, encoding, signal });
      },
    });
    const { id } = await uploads.create(file());
    await uploads.append(id, 0, piece(0));
    await expect(uploads.complete(id)).rejects.toMatchObject({ code: "busy" });
    expect(uploads.get(id)).toMatchObject({ state: "receiving", offset: BYTES.length });
    busy = false;
    expect((await uploads.complete(id)).state).toBe("done");
  });

  test("is said before a byte is sent: too large, no room, unknown", async () => {
    const uploads = await open();
    await expect(uploads.create(file({ size: 500_001 }))).rejects.toMatchObject({ code: "too_large" });
    for (const name of ["1", "2"]) await uploads.create(file({ name, size: 500_000 }));
    await expect(uploads.create(file({ size: 1 }))).rejects.toMatchObject({ code: "storage_full" });
    expect(uploads.usage()).toMatchObject({ open: 2, bytes: 0 });
    expect(() => uploads.get("none")).toThrow(/no upload/);
  });

  test("what got nothing for a day is removed, and makes room", async () => {
    const uploads = await open();
    const old = await uploads.create(file({ size: 500_000 }));
    await uploads.create(file({ size: 500_000 }));
    now += DAY + 1;
    await uploads.create(file({ size: 400_000 }));
    expect(() => uploads.get(old.id)).toThrow(/no upload/);
    expect(uploads.list()).toHaveLength(1);
  });

  test("an upload that is given up leaves nothing", async () => {
    const uploads = await open();
    const { id } = await uploads.create(file());
    await uploads.append(id, 0, piece(0, 100));
    await uploads.remove(id);
    expect(readdirSync(folder)).toEqual([]);
    await expect(uploads.append(id, 100, piece(100))).rejects.toMatchObject({ code: "not_found" });
  });
});
