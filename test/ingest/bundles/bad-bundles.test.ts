import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CoalmineError } from "@/server/domain/errors";
import { tarOf, zipOf } from "../../support/archives";
import { openMemory, rollouts, send } from "../../support/deliveries";
import { JOB, trial } from "./job";

const spool = () => mkdtempSync(join(tmpdir(), "coalmine-test-"));

describe("a bundle that is not well", () => {
  const refused = async (body: Uint8Array, options = {}) => {
    const store = await openMemory();
    const error = await send(store, body, {}, options).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect((await store.batches({}, { limit: 10, cursor: null })).items).toEqual([]);
    expect(error).toBeInstanceOf(CoalmineError);
    return error as CoalmineError;
  };

  test.each([
    ["bzip2", Buffer.from("BZh91AY&SYxxxx")],
    ["xz", Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])],
    ["7-Zip", Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c])],
  ])("of the kind %s is refused with what can be sent", async (name, body) => {
    expect(await refused(body)).toMatchObject({
      code: "unsupported",
      message: `A ${name} archive cannot be read. Send a .zip, .eval, .tar, .tar.gz, .tgz or .tar.zst.`,
    });
  });

  test("a text that begins like one is a text", async () => {
    expect(await send(await openMemory(), "BZh9 is how bzip2 begins\n")).toMatchObject({ records: 1 });
  });

  test("cut off before its end is refused whole", async () => {
    expect(await refused(zipOf(JOB).subarray(0, -40))).toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/^broken zip/),
    });
    expect(await refused((await tarOf(JOB)).subarray(0, 2000))).toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/^broken tar/),
    });
  });

  test("in which nothing was understood is refused with what was seen", async () => {
    const error = await refused(zipOf({ "a.json": '{"x": 1', "b.png": "x" }));
    expect(error.message).toMatch(/^a\.json: /);
  });

  test("that grows beyond its bounds is refused, and its private file removed", async () => {
    const dataDir = spool();
    const bomb = zipOf({ "big.log": Buffer.alloc(66 * 1024 * 1024, "a") });
    expect(await refused(bomb, { dataDir, limits: { maxBytes: 64 * 1024 ** 3, maxRatio: 100 } })).toMatchObject({
      code: "too_large",
    });
    expect(readdirSync(join(dataDir, "spool"))).toEqual([]);
    expect(await refused(bomb, { dataDir, limits: { maxBytes: 1024 * 1024, maxRatio: 5000 } })).toMatchObject({
      code: "too_large",
    });
  });

  test("lists encrypted files, and files packed by methods that it cannot read", async () => {
    const store = await openMemory();
    const encrypted = await send(store, zipOf({ "a.json": "{}" }, { flags: 1 }));
    expect(encrypted.leftOut).toEqual([{ why: "it is encrypted", files: 1, examples: ["a.json"] }]);
    const odd = await send(store, zipOf({ "a.json": "{}" }, { method: 12 }));
    expect(odd.leftOut?.[0]?.why).toBe("its compression method 12 is not supported");
  });

  test("names nothing that is written: paths that lead elsewhere are labels", async () => {
    const dataDir = spool();
    const name = "../../etc/t1__aaaaaaa/result.json";
    const store = await openMemory();
    await send(
      store,
      zipOf({ [name]: trial("t1", "aaaaaaa", 1), "/abs/t2__bbbbbbb/result.json": trial("t2", "bbbbbbb", 1) }),
      {},
      { dataDir },
    );
    expect((await rollouts(store)).map((r) => r.task).sort()).toEqual(["t1", "t2"]);
    expect(readdirSync(dataDir)).toEqual(["spool"]);
    expect(readdirSync(join(dataDir, "spool"))).toEqual([]);
  });

  test("that is empty is no error", async () => {
    expect(await send(await openMemory(), zipOf({}))).toMatchObject({ records: 0, leftOut: [] });
  });
});
