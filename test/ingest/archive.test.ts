import { describe, expect, test } from "vitest";
import { decodeBlock } from "@/server/archive/block-codec";
import type { ArchiveLine, StoredBlock } from "@/server/domain/archive";
import type { DeliveryParams } from "@/server/domain/batch";
import type { Store } from "@/server/domain/store";
import { linesAround } from "@/server/queries/raw-lines";
import { zipOf } from "../support/archives";
import { chunksOf, incidents, openMemory, send } from "../support/deliveries";

const SECRET = "abcdef0123456789abcdef0123456789";

async function archived(store: Store): Promise<{ block: StoredBlock; lines: ArchiveLine[] }[]> {
  const { items } = await store.archiveBlocks({}, { limit: 1000, cursor: null });
  const bytes = await store.archiveBytes(items.map((block) => block.id));
  return items.map((block) => ({ block, lines: decodeBlock(bytes.get(block.id) as Uint8Array) }));
}

async function linesOf(store: Store): Promise<ArchiveLine[]> {
  return (await archived(store)).flatMap(({ lines }) => lines).sort((a, b) => a.line - b.line);
}

function record(msg: string, i: number): string {
  const log = JSON.stringify({ level: "info", ts: "2026-11-20T04:00:00.000Z", msg });
  const labels = { "opensandbox.io/id": "sbx-1", "nemo-gym.nvidia.com/run": i % 2 ? "run-a" : "run-b" };
  const kubernetes = {
    pod_name: "p-0",
    namespace_name: "ns",
    pod_id: "uid-1",
    host: "n-1",
    labels,
    container_name: "c",
  };
  return `${JSON.stringify({ date: 1791300001 + i, stream: "stderr", log, kubernetes })}\n`;
}

describe("a delivery's lines", () => {
  test("are kept without their envelope, with who sent them, when, and what read them", async () => {
    const store = await openMemory();
    await send(store, Array.from({ length: 9 }, (_, i) => record(`Requested: GET - /${i}`, i)).join(""), {
      source: "fb",
    });
    const blocks = await archived(store);
    expect(blocks.map(({ block }) => [block.run, block.lines, block.firstLine, block.lastLine])).toEqual([
      ["run-b", 5, 1, 9],
      ["run-a", 4, 2, 8],
    ]);
    expect(blocks[0]?.block.senders).toEqual([
      {
        stream: "default|uid:uid-1|c|stderr",
        source: "fb",
        run: "run-b",
        node: "n-1",
        pod: "p-0",
        podUid: "uid-1",
        sandbox: "sbx-1",
        container: "c",
        cluster: "default",
        origin: "fleet",
        replay: expect.stringContaining('"namespace":"ns"'),
      },
    ]);
    const line = (await linesOf(store))[6];
    const text = '{"level":"info","ts":"2026-11-20T04:00:00.000Z","msg":"Requested: GET - /6"}';
    expect(line).toEqual({ line: 7, at: 1791300007_000, sender: 0, format: "execd", text });
    expect((await store.archiveBlockOf("x", 1)) ?? null).toBeNull();
  });

  test("lead from their observations back to them", async () => {
    const store = await openMemory();
    const bad = record("x", 1).replace(
      /\\"msg.*?x\\"/,
      String.raw`\"msg\":\"StreamEvent.OnExecuteStdout: client disconnected\"`,
    );
    await send(store, `${record("Requested: a", 0)}${bad}`);
    const [seen] = await store.observationsOf(["sandbox:default/sbx-1"]);
    const place = (await store.observationBatches([seen?.key ?? ""])).get(seen?.key ?? "");
    expect(place?.line).toBe(2);
    const block = await store.archiveBlockOf(place?.batch ?? "", 2);
    const bytes = (await store.archiveBytes([block?.id ?? 0])).get(block?.id ?? 0);
    const lines = decodeBlock(bytes as Uint8Array);
    expect(lines.find((one) => one.line === 2)?.text).toContain("client disconnected");
  });

  test("hold no secret, whether they were read from their bytes or as text", async () => {
    const store = await openMemory();
    const messages = [
      `received command: curl -H "Authorization: Bearer ${SECRET}" http://x`,
      `received command: export OPENAI_API_KEY=${SECRET}`,
      `received command: git clone https://me:${SECRET}@host/repo`,
      `Requested: sk-${SECRET}`,
      `received command: login Basic ${SECRET}`,
    ];
    const body = [...messages, ...messages].map((msg) => record(msg, 0)).join("");
    await send(store, `${body}${`2026-10-10 10:00:00,000 INFO harness password="${SECRET}"\n`}`);
    const lines = await linesOf(store);
    expect(lines).toHaveLength(11);
    for (const { text } of lines) expect(text).not.toContain(SECRET);
    for (const { text } of lines) expect(text).toContain("[redacted]");
    expect((await store.archiveBlocks({ tokens: [SECRET] }, { limit: 9, cursor: null })).items).toEqual([]);
  });

  test("are joined where they were cut, and kept where nothing could read them", async () => {
    const store = await openMemory();
    const at = "2026-11-20T04:00:00.5Z stdout";
    const cri = `${at} P {"level":"info","ts":"x","msg":"Reque\n${at} F sted: y"}\n`;
    await send(store, cri, { source: "cri" });
    await send(
      store,
      `{"log_processed":1,\nTraceback (most recent call last):\n  File "a.py", line 1\nValueError: x\n`,
    );
    await send(store, Buffer.from([...Buffer.from("plain\n"), 0xff, 0xfe, 10, 65, 0, 66, 10]), { source: "odd" });
    const texts = (await linesOf(store)).map((one) => [one.format, one.text]);
    expect(texts).toContainEqual(["execd", '{"level":"info","ts":"x","msg":"Requested: y"}']);
    expect(texts.map(([, text]) => text)).toEqual(
      expect.arrayContaining(['  File "a.py", line 1', "ValueError: x", "A\0B"]),
    );
    expect(texts).toContainEqual([null, "A\0B"]);
  });

  test("are cut at 64 KiB, between characters", async () => {
    const store = await openMemory();
    await send(store, `2026-10-10 10:00:00,000 INFO harness ${"é".repeat(80_000)}\n`);
    const [line] = await linesOf(store);
    const size = Buffer.byteLength(line?.text ?? "");
    expect(size).toBeGreaterThan(64 * 1024 - 3);
    expect(size).toBeLessThanOrEqual(64 * 1024);
    expect(line?.text.endsWith("é")).toBe(true);
  });

  test("are not kept where the store has what was read of them: rollouts and objects", async () => {
    const store = await openMemory();
    const row = { task_index: 0, rollout_index: 0, reward: 1, response: { output: [] }, agent_ref: { name: "a" } };
    await send(store, `${JSON.stringify(row)}\n`, { format: "gym-rollouts", run: "r" });
    await send(store, JSON.stringify({ kind: "List", items: [{ kind: "Node", metadata: { name: "n" } }] }, null, 1));
    expect(await archived(store)).toEqual([]);
  });

  test("go with their delivery", async () => {
    const store = await openMemory();
    const { batchId } = await send(store, record("Requested: a", 0));
    await store.dropBatch(batchId);
    expect(await archived(store)).toEqual([]);
  });

  test("are the same however the body is cut and its segments are written", async () => {
    const body = Array.from({ length: 300 }, (_, i) => record(`Requested: GET - /${i % 7}`, i)).join("");
    const whole = await openMemory();
    await send(whole, body);
    const params: Partial<DeliveryParams> = {};
    for (const size of [100, 5000]) {
      const store = await openMemory();
      await send(store, chunksOf(body, size), params, { segment: { bytes: 4000, held: 1000 } });
      const plain = (lines: ArchiveLine[]) => lines.map(({ sender: _, ...line }) => line);
      expect(plain(await linesOf(store))).toEqual(plain(await linesOf(whole)));
    }
  });

  test("are each found by what was read of them, also where several stand on one line or in one bundle", async () => {
    const store = await openMemory();
    const failed = (name: string) => `2026-10-10 10:00:00,000 ERROR harness ConnectTimeout: no sandbox for ${name}`;
    const pods = JSON.stringify({ kind: "Pod", metadata: { name: "p", namespace: "ns" } });
    const records = [pods, failed("a"), "fine", failed("b")].map((text) => ({ body: { stringValue: text } }));
    await send(store, JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] }));
    await send(
      store,
      zipOf({ "one.log": `${failed("c")}\n`, "two.log": `${failed("d")}\nfine\n` }),
      {},
      { name: "l.zip" },
    );
    for (const name of "abcd") {
      const [found] = await incidents(store).then((all) => all.filter((one) => one.summary.endsWith(name)));
      const [place] = (await store.observationBatches(found?.keys ?? [])).values();
      const around = await linesAround(store, { batch: "", line: 0, ...place, around: 2, of: "delivery" });
      expect(around.line.text).toBe(failed(name));
      expect(around.after.map((one) => one.text)).toEqual(
        name === "a" ? ["fine", failed("b")] : name === "d" ? ["fine"] : [],
      );
    }
  });
});
