import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { compress } from "snappyjs";
import { describe, expect, test } from "vitest";
import { zstd } from "@/server/archive/zstd";
import { CoalmineError } from "@/server/domain/errors";
import { chunksOf, incidents, observations, openMemory, picture, rejects, rollouts, send } from "../support/deliveries";
import { snappyFrames } from "../support/snappy-frames";

const CASE_043 = readFileSync(new URL("../cases/043-fluentbit-duplicates.jsonl", import.meta.url)).toString("utf8");

async function failure(work: Promise<unknown>): Promise<CoalmineError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CoalmineError)) throw new Error(`expected an error for users, got ${String(error)}`);
  return error;
}

const allBatches = async (store: Awaited<ReturnType<typeof openMemory>>) =>
  (await store.batches({}, { limit: 1000, cursor: null })).items;

describe("a bad body", () => {
  test("with a broken gzip stream is refused with a reason and leaves nothing", async () => {
    const store = await openMemory();
    const good = gzipSync(CASE_043.repeat(40));
    for (const bad of [good.subarray(0, good.length - 200), flipped(good)]) {
      const error = await failure(send(store, bad, {}, { encoding: "gzip", segment: { bytes: 2000 } }));
      expect(error.code).toBe("invalid");
      expect(error.message).toMatch(/^broken gzip/);
    }
    expect(await allBatches(store)).toEqual([]);
    expect(await incidents(store)).toEqual([]);
    expect(await store.unsettled(10)).toEqual([]);
  });

  test("in gzip is read the same with and without its encoding being named", async () => {
    const plain = await openMemory();
    await send(plain, CASE_043);
    for (const encoding of ["gzip", null]) {
      const store = await openMemory();
      await send(store, gzipSync(CASE_043), {}, { encoding });
      expect(await picture(store)).toEqual(await picture(plain));
      expect((await send(store, CASE_043)).duplicateBatch).toBe(true);
    }
  });

  test("in zstd is read the same on every Node.js, also of several frames, and refused when it is broken or cut", async () => {
    const whole = await openMemory();
    await send(whole, CASE_043);
    const half = CASE_043.indexOf("\n", CASE_043.length / 2);
    const frames = [CASE_043.slice(0, half), CASE_043.slice(half)].map((text) => zstd(Buffer.from(text)));
    const body = Buffer.concat(frames);
    for (const encoding of ["zstd", null]) {
      for (const size of [1, 700, 65_536]) {
        const store = await openMemory();
        await send(store, chunksOf(body, size), {}, { encoding });
        expect(await picture(store)).toEqual(await picture(whole));
      }
    }
    const odd = Buffer.from(body);
    odd.fill(0x55, 40, 200);
    const greedy = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xff]), Buffer.alloc(40)]);
    for (const bad of [body.subarray(0, -3), odd, greedy, Buffer.from("no zstd at all"), Buffer.from([0x28])]) {
      const store = await openMemory();
      const error = await failure(send(store, bad, {}, { encoding: "zstd" }));
      expect(error).toMatchObject({ code: "invalid", message: expect.stringMatching(/^broken zstd/) });
      expect(await store.archiveBlocks({}, { limit: 1, cursor: null })).toMatchObject({ items: [] });
    }
  });

  test("in Snappy is read the same as one block and in frames, and refused when it is broken or cut", async () => {
    const whole = await openMemory();
    await send(whole, CASE_043);
    const block = compress(Buffer.from(CASE_043));
    const framed = snappyFrames(Buffer.from(CASE_043), 900);
    for (const [encoding, body] of [
      ["snappy", block],
      ["snappy", framed],
      ["x-snappy-framed", framed],
    ] as const) {
      for (const size of [1, 700, 65_536]) {
        const store = await openMemory();
        await send(store, chunksOf(body, size), {}, { encoding });
        expect(await picture(store)).toEqual(await picture(whole));
      }
    }
    const alien = Buffer.concat([framed, Buffer.from([0x42, 1, 0, 0, 0])]);
    for (const bad of [block.subarray(0, 40), framed.subarray(0, -3), alien, Buffer.from([0xff, 0xff, 0xff, 0xff])]) {
      const store = await openMemory();
      const error = await failure(send(store, bad, {}, { encoding: "snappy" }));
      expect(error).toMatchObject({ code: "invalid", message: expect.stringMatching(/^broken snappy/) });
      expect(await allBatches(store)).toEqual([]);
    }
    const claim = Buffer.from([0x80, 0x80, 0x80, 0x80, 0x04, 0, 0x41]);
    expect((await failure(send(whole, claim, {}, { encoding: "snappy" }))).code).toBe("too_large");
  });

  test("in an encoding that we cannot decode is refused, naming those that we can", async () => {
    const error = await failure(send(await openMemory(), CASE_043, {}, { encoding: "lzma" }));
    expect(error.code).toBe("unsupported");
    expect(error.message).toMatch(/"lzma".*gzip.*br.*snappy/);
  });

  test("that unpacks to absurdly much is refused", async () => {
    const store = await openMemory();
    const bomb = gzipSync(Buffer.alloc(66 * 1024 * 1024, "a"));
    const error = await failure(
      send(store, bomb, {}, { encoding: "gzip", limits: { maxBytes: 2 ** 40, maxRatio: 100 } }),
    );
    expect(error.code).toBe("too_large");
    const large = await failure(send(store, "x\n".repeat(1000), {}, { limits: { maxBytes: 1000, maxRatio: 100 } }));
    expect(large.code).toBe("too_large");
    expect(await allBatches(store)).toEqual([]);
  });

  test("under an unknown format's name is refused, listing the known ones", async () => {
    const error = await failure(send(await openMemory(), CASE_043, { format: "nope" }));
    expect(error.code).toBe("invalid");
    expect(error.message).toMatch(/"nope".*auto.*execd.*fluent-bit/);
  });

  test("in which nothing is understood is refused with what was seen", async () => {
    const store = await openMemory();
    const error = await failure(send(store, "hello\nworld\n", { format: "execd" }));
    expect(error.code).toBe("unsupported");
    expect(error.message).toContain("hello");
    const binary = await failure(send(store, Buffer.from([0x89, 0x50, 0xff, 0x00, 0x0a, 0xfe, 0x00])));
    expect(binary.code).toBe("invalid");
    expect(await allBatches(store)).toEqual([]);
  });

  test("that fails in the middle, or is aborted, leaves nothing", async () => {
    const store = await openMemory();
    async function* broken() {
      yield* chunksOf(CASE_043);
      throw new Error("the socket closed");
    }
    await expect(send(store, broken(), {}, { segment: { bytes: 500 } })).rejects.toThrow("the socket closed");
    const controller = new AbortController();
    async function* aborted() {
      yield* chunksOf(CASE_043);
      controller.abort();
      yield* chunksOf(CASE_043);
    }
    const options = { segment: { bytes: 500 }, signal: controller.signal };
    await expect(send(store, aborted(), {}, options)).rejects.toThrow(/broken off/);
    expect(await allBatches(store)).toEqual([]);
    expect(await picture(store)).toEqual({ incidents: [], rollouts: [] });
    expect(await store.unsettled(10)).toEqual([]);
  });
});

/** The same bytes with one of them wrong in the middle. */
function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const middle = Math.floor(copy.length / 2);
  copy[middle] = (copy[middle] ?? 0) ^ 0xff;
  return copy;
}

describe("odd records", () => {
  test("a line of 5 MB is legal; what is stored of it is bounded", async () => {
    const store = await openMemory();
    const long = `2026-10-10 10:00:00,000 ERROR harness run=r-1 ServerDisconnectedError: ${"x".repeat(5_000_000)} the end`;
    const result = await send(store, `${long}\n`);
    expect(result).toMatchObject({ records: 1, observations: 1, rejected: 0 });
    const [row] = await observations(store, ["attempt:default/-/test/r-1"]);
    expect(row?.text.length).toBeLessThanOrEqual(4_000);
    expect(row?.text.endsWith("the end")).toBe(true);
    expect(row?.evidence.message?.length).toBeLessThanOrEqual(4_000);
  });

  test("a line above 16 MiB is rejected and the lines around it are read", async () => {
    const store = await openMemory();
    const line = "2026-10-10 10:00:00,000 ERROR harness run=r-1 ServerDisconnectedError: Server disconnected\n";
    async function* body() {
      yield* chunksOf(line);
      const piece = new Uint8Array(1024 * 1024).fill(120);
      for (let i = 0; i < 17; i++) yield piece;
      yield* chunksOf(`\n${line}`);
    }
    const result = await send(store, body());
    expect(result).toMatchObject({ records: 3, observations: 2, rejected: 1 });
    expect(await rejects(store, result.batchId)).toMatchObject([{ line: 2, code: "too_large" }]);
  });

  test("a number where a text belongs is a reject that names the field, and the rest is read", async () => {
    const store = await openMemory();
    const rows = [
      '{"_ng_task_index":"zero","_ng_rollout_index":0,"reward":1.0}',
      '{"_ng_task_index":1,"_ng_rollout_index":0,"reward":"much"}',
      '{"_ng_task_index":2,"_ng_rollout_index":0,"reward":1.0}',
    ];
    const result = await send(store, `${rows.join("\n")}\n`, { run: "r" });
    expect(result.rollouts + result.rejected).toBe(3);
    expect(result.rejects.every((reject) => /_ng_task_index|reward/.test(reject.message))).toBe(true);
    expect((await rollouts(store)).map((row) => row.task)).toContain("2");
  });

  test("secrets are gone from everything that is kept", async () => {
    const store = await openMemory();
    const lines = [
      "2026-10-10 10:00:00,000 ERROR harness run=r-1 ServerDisconnectedError: api_key=sk-verysecret0 gone",
      '{"_ng_task_index": 1, "api_key": "sk-verysecret0", "reward": [}',
      '{"level":"error","ts":"2026-10-06T15:20:01.100Z","msg":"Proxy error: password=sk-verysecret0 refused"}',
    ];
    const result = await send(store, `${lines.join("\n")}\n`);
    const kept = [
      ...(await observations(store, ["attempt:default/-/test/r-1"])),
      ...(await incidents(store)),
      ...(await rejects(store, result.batchId)),
    ];
    expect(kept.length).toBeGreaterThan(1);
    expect(JSON.stringify(kept)).not.toContain("verysecret0");
  });
});
