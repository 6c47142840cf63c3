import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBlock } from "@/server/archive/block-codec";
import { DeliveryReader } from "@/server/ingest/detect";
import { ENVELOPES } from "@/server/ingest/envelopes/list";
import { FORMATS } from "@/server/ingest/formats/list";
import { RowSink } from "@/server/ingest/sink";
import { PARAMS, RECEIVED_AT } from "../support/deliveries";

const SHORT = { envelopes: ENVELOPES, formats: FORMATS };
/** The same readers without anything that the short way is made of. */
const LONG = {
  envelopes: ENVELOPES.map((one) => (one.name === "fluent-bit" ? { ...one, name: "fluent-bit-long" } : one)),
  formats: FORMATS.map((one) => ({ ...one, routineInJson: undefined })),
};

async function read(body: Buffer, readers: typeof SHORT | typeof LONG, chunk: number) {
  const sink = new RowSink(PARAMS);
  const reader = new DeliveryReader({ params: PARAMS, receivedAt: RECEIVED_AT }, sink, readers);
  for (let at = 0; at < body.length; at += chunk) reader.push(body.subarray(at, at + chunk));
  reader.end();
  const taken = sink.take(true);
  const blocks = await sink.archive.take(true);
  return { ...taken, archive: blocks.map((block) => ({ ...block, lines: decodeBlock(block.bytes) })) };
}

const MESSAGES = [
  "Requested: POST - /command",
  'received command: echo "{\\"kind\\":\\"Pod\\"}" && ls ünïcode 漢字',
  "StreamEvent.OnExecuteComplete write data execution_time=12",
  "StreamEvent.OnExecuteStdout: client disconnected",
  "CommandExecError: error running commands: exit status 1",
  "received command: a\\nb\\ttab",
  'received command: ","kubernetes":{ in text',
  'received command: curl -H "Authorization: Bearer abcdef0123456789abcdef" https://me:pw1@host/x',
  "received command: export HF=hf_abcdefghijklmnopqrstuv1 && run-task --x sk-abcdefghijklmnopqrstuvw",
];

const log = fc
  .record({
    level: fc.constantFrom("info", "error", "debug"),
    msg: fc.constantFrom(...MESSAGES),
    ts: fc.constantFrom("2026-11-20T04:00:00.000Z", "2026-11-20T04:00:00.000+0000", "odd"),
    end: fc.constantFrom("", "\n", " tail", "\r\n"),
    extra: fc.boolean(),
  })
  .map(({ level, msg, ts, end, extra }) => `${JSON.stringify({ level, ts, msg, ...(extra ? { x: 1 } : {}) })}${end}`);

const text = fc.oneof(
  { weight: 6, arbitrary: log },
  { weight: 1, arbitrary: log.map((one) => `2026-11-20T04:00:00.5Z stdout F ${one}`) },
  { weight: 1, arbitrary: fc.constantFrom("plain", "", "Traceback (most recent call last):", '{"level":"info"') },
);

const block = fc.constantFrom(
  ...[0, 1, 2].map((i) => ({
    pod_name: `p-${i}-0`,
    pod_id: `uid-${i}`,
    host: `n-${i}`,
    container_name: i === 2 ? "harness" : "sandbox",
    labels: { "opensandbox.io/id": `sbx-${i}`, weird: 'a"b\\' },
  })),
);

const line = fc
  .record({
    date: fc.constantFrom(
      "1791300001",
      "1791300001.1",
      "1791300001.123456789",
      "1791300001.123999",
      "1791300001.",
      "17",
    ),
    stream: fc.constantFrom("stdout", "stderr", "both"),
    tag: fc.constantFrom("", '"logtag":"F",', '"logtag":"P",'),
    text,
    block,
    end: fc.constantFrom("}", "}", "}", '},"kubernetes":{}}', "", '},"log_processed":{"level":"info"}}'),
  })
  .map(({ date, stream, tag, text, block, end }) => {
    const kubernetes = JSON.stringify(block);
    const tail = end.startsWith("}") ? `${kubernetes}${end.slice(1)}}` : kubernetes;
    const whole = end.startsWith("},") ? `${kubernetes}${end.slice(1)}` : tail;
    return `{"date":${date},"stream":"${stream}",${tag}"log":${JSON.stringify(text)},"kubernetes":${whole}`;
  });

test("routine lines read from their bytes give the same rows and counts as lines that are parsed", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 5, maxLength: 60 }),
      fc.integer({ min: 50, max: 70_000 }),
      async (lines, chunk) => {
        const body = Buffer.from(
          lines
            .map((one) => `${one}\n`)
            .join("")
            .repeat(3),
        );
        expect(await read(body, SHORT, chunk)).toEqual(await read(body, LONG, chunk));
      },
    ),
    { numRuns: 100 },
  );
});

test("the short way is taken for the lines of a fleet", async () => {
  const parsed: string[] = [];
  const watched = ENVELOPES.map((one) => ({
    ...one,
    open: (opened: string, number: number) => {
      if (one.name === "fluent-bit") parsed.push(opened);
      return one.open(opened, number);
    },
  }));
  const routine = JSON.stringify({ level: "info", ts: "2026-11-20T04:00:00.000Z", msg: "Requested: POST - /command" });
  const lines = Array.from({ length: 2000 }, (_, i) => {
    const kubernetes = { pod_name: `p-${i % 7}`, pod_id: `uid-${i % 7}`, host: "n-1", container_name: "sandbox" };
    return `${JSON.stringify({ date: 1791300001 + i, stream: "stderr", log: routine, kubernetes })}\n`;
  });
  const { counts } = await read(Buffer.from(lines.join("")), { envelopes: watched, formats: FORMATS }, 65_536);
  expect(counts).toMatchObject({ records: 2000, routine: 2000 });
  expect(parsed.length).toBeLessThan(20);
});
