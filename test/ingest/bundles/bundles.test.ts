import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { zstd } from "@/server/archive/zstd";
import { tarGzOf, tarOf, zipOf } from "../../support/archives";
import { chunksOf, incidents, openMemory, picture, rejects, rollouts, send } from "../../support/deliveries";
import { fixture } from "../formats/fixture";
import { JOB, trial } from "./job";

describe("a bundle", () => {
  test("is read file by file, as one delivery that can be undone as one", async () => {
    const store = await openMemory();
    const result = await send(store, await tarGzOf(JOB), {}, { name: "upload.tar.gz" });
    expect(result).toMatchObject({ format: "harbor", rollouts: 3, rejected: 0, duplicateBatch: false });
    expect((await rollouts(store)).map((r) => [r.run, r.task, r.verdict]).sort()).toEqual([
      ["exp-7", "t1", "failed"],
      ["exp-7", "t1", "passed"],
      ["exp-7", "t2", "infra_failed"],
    ]);
    await store.dropBatch(result.batchId);
    expect(await rollouts(store)).toEqual([]);
  });

  test("says of each file that it left out why, and takes no word of an agent for evidence", async () => {
    const store = await openMemory();
    const { leftOut } = await send(store, zipOf(JOB), {}, { name: "job.zip" });
    expect(leftOut?.map((one) => [one.why, one.files])).toEqual([
      ["images and recordings", 1],
      ["left by systems and editors", 1],
      ["output of agents", 1],
      ["output of tests and verifiers", 1],
      ["patches and predictions", 1],
    ]);
    expect(leftOut?.[0]?.examples).toEqual(["exp-7/t2__ccccccc/artifacts/shot.png"]);
    expect((await incidents(store)).map((one) => one.class).sort()).toEqual(["control.create_timeout", "task.failed"]);
  });

  test("is the same whether zip or tar, packed or not, in any order, and twice", async () => {
    const turned = Object.fromEntries(Object.entries(JOB).reverse());
    const bodies = [zipOf(JOB), zipOf(turned), zipOf(JOB, { method: 0 }), await tarOf(turned), await tarGzOf(JOB)];
    const pictures = [];
    for (const body of bodies) {
      const store = await openMemory();
      await send(store, body, { run: "r", source: "s" });
      expect(await send(store, body, { run: "r", source: "s" })).toMatchObject({ duplicateBatch: true });
      pictures.push(await picture(store));
    }
    for (const one of pictures) expect(withoutSources(one)).toEqual(withoutSources(pictures[0]));
  });

  test("holds no more than its files: each alone gives the same rollouts", async () => {
    const bundled = await openMemory();
    await send(bundled, zipOf(JOB), {}, { name: "job.zip" });
    const alone = await openMemory();
    for (const [name, body] of Object.entries(JOB)) {
      if (name.endsWith("result.json") && !name.startsWith("__")) await send(alone, body, { source: name }, { name });
    }
    const keys = async (store: typeof alone) => (await rollouts(store)).map((r) => `${r.id} ${r.verdict}`).sort();
    expect(await keys(bundled)).toEqual(await keys(alone));
  });

  test("names the file of what it rejects", async () => {
    const store = await openMemory();
    const bad = {
      "a/t1__aaaaaaa/result.json": trial("t1", "aaaaaaa", 1),
      "a/t2__bbbbbbb/result.json": '{"task_name":"t2","trial_name":',
    };
    const result = await send(store, zipOf(bad));
    expect((await rejects(store, result.batchId)).map((one) => one.message)).toEqual([
      expect.stringMatching(/^a\/t2__bbbbbbb\/result\.json: .*cut off/),
    ]);
  });

  test("reads compressed files and archives in it, one level deep", async () => {
    const store = await openMemory();
    const inner = zipOf({ "samples/2_epoch_1.json": fixture("inspect-eval/retried-sample.json") });
    const logs = "2026-09-01T08-00-00+00-00_list-files_AbCdEfGhIjKlMnOpQr.eval";
    const deepest = zipOf({ "deep.zip": zipOf({ "x.json": "{}" }) });
    const body = await tarGzOf({
      "exp/results.jsonl.gz": gzipSync(`${trial("t9", "aaaaaaa", 1)}\n`),
      [`exp/${logs}`]: inner,
      "exp/nested.zip": deepest,
    });
    const result = await send(store, body);
    expect((await rollouts(store)).map((r) => [r.run, r.task]).sort()).toEqual([
      ["exp", "t9"],
      ["list-files_AbCdEfGhIjKlMnOpQr", "2"],
    ]);
    expect(result.leftOut).toEqual([
      { why: "archives in archives of archives", files: 1, examples: ["exp/nested.zip/deep.zip"] },
    ]);
  });

  test("gives rows that lie in no job's folder the run of their file's name, as sending the file alone does", async () => {
    const store = await openMemory();
    const row = (index: number) => `{"_ng_task_index":1,"_ng_rollout_index":${index},"reward":1,"response":{}}\n`;
    await send(store, zipOf({ "exp-8.jsonl": row(0), "exp-8_failures.jsonl": row(1), "out/preds.json": "{}" }));
    expect((await rollouts(store)).map((r) => r.run)).toEqual(["exp-8", "exp-8"]);
  });

  test("that is an .eval log is one run of its task, with what is planned and missing", async () => {
    const store = await openMemory();
    const { samples, ...header } = JSON.parse(fixture("inspect-eval/log.json"));
    const files = Object.fromEntries(
      samples.map((one: { id: unknown }) => [`samples/${one.id}_epoch_1.json`, JSON.stringify(one)]),
    );
    const name = "2026-09-01T08-00-00+00-00_list-files_AbCdEfGhIjKlMnOpQr.eval";
    const result = await send(
      store,
      zipOf({
        "_journal/start.json": JSON.stringify(header),
        ...files,
        "header.json": JSON.stringify(header),
        "summaries.json": "[]",
      }),
      {},
      { name },
    );
    expect(result).toMatchObject({ format: "inspect-eval", rollouts: 5, rejected: 0 });
    expect(await store.countPlanned(["list-files_AbCdEfGhIjKlMnOpQr"])).toEqual({ planned: 5, missing: 0 });
    const verdicts = Object.fromEntries((await rollouts(store)).map((r) => [r.task, r.verdict]));
    expect(verdicts).toEqual({ a: "passed", 2: "infra_failed", c: "failed", d: "not_scored", e: "infra_failed" });
  });
});

test("zstd is read inside a zip, where inspect_ai uses it, and around a tar", async () => {
  const store = await openMemory();
  const packed = zstd(Buffer.from(trial("t1", "aaaaaaa", 1)));
  await send(store, zipOf({ "t1__aaaaaaa/result.json": packed }, { method: 93 }));
  await send(store, zstd(await tarOf({ "t2__bbbbbbb/result.json": trial("t2", "bbbbbbb", 1) })));
  expect((await rollouts(store)).map((row) => row.task).sort()).toEqual(["t1", "t2"]);
});

test("a bundle may come in pieces of any size", async () => {
  const store = await openMemory();
  await send(store, chunksOf(await tarGzOf(JOB), 7));
  expect(await rollouts(store)).toHaveLength(3);
});

function withoutSources(seen: unknown): unknown {
  return JSON.parse(JSON.stringify(seen, (name, value) => (name === "source" ? undefined : value)));
}
