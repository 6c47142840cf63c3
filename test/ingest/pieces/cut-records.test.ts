import { expect, test } from "vitest";
import { settleQueued } from "@/server/ingest/settle-joined";
import { openMemory, picture, rejects, send } from "../../support/deliveries";

const POD = { pod_name: "harness-0", pod_id: "u-1", namespace_name: "rl", container_name: "main", host: "n1" };
const T0 = Date.parse("2026-11-20T10:00:00Z");
/** Lines as the runtime stamps them: some nanoseconds apart, so within one millisecond. */
const stamp = (i: number) =>
  new Date(T0 + Math.floor(i / 4)).toISOString().replace("Z", `${String((i % 4) * 1000).padStart(6, "0")}Z`);
const cri = (text: string, i: number, tag = "F") => `${stamp(i)} stderr ${tag} ${text}`;
const fluentBit = (text: string, i: number) =>
  JSON.stringify({ time: stamp(i), stream: "stderr", log: `${text}\n`, kubernetes: POD });

const CHAINED = [
  "2026-11-20 10:00:00,000 INFO harness: starting",
  "2026-11-20 10:00:00,001 ERROR harness: sandbox=0e1f create failed",
  "Traceback (most recent call last):",
  '  File "/app/pool.py", line 10, in connect',
  "    raise ReadTimeout()",
  "httpx.ReadTimeout: timed out",
  "",
  "During handling of the above exception, another exception occurred:",
  "",
  "Traceback (most recent call last):",
  '  File "/app/run.py", line 20, in create',
  "    raise SandboxInternalError()",
  "opensandbox.SandboxInternalError: create failed",
  "2026-11-20 10:00:00,009 WARNING harness: sandbox=0e1f retrying",
];
const UNDICI = [
  "TypeError: fetch failed",
  "    at node:internal/deps/undici/undici:13185:13",
  "    at async run (/app/x.js:3:1) {",
  "  [cause]: SocketError: other side closed",
  "      at Socket.onEnd (node:internal/deps/undici/undici:1:1) {",
  "    code: 'UND_ERR_SOCKET',",
  "    socket: {",
  "      remoteAddress: '10.0.0.5',",
  "      remotePort: 8080,",
  "      bytesRead: 0",
  "    }",
  "  }",
  "}",
];
const LONG = "2026-11-20 10:00:00,012 ERROR harness: sandbox=0e1f exec failed: httpx.ReadError: connection lost";
const PARTS: [string, string][] = [
  [LONG.slice(0, 40), "P"],
  [LONG.slice(40, 70), "P"],
  [LONG.slice(70), "F"],
];
const TEXTS: [string, string][] = [
  ...CHAINED.map((text): [string, string] => [text, "F"]),
  ...UNDICI.map((text): [string, string] => [text, "F"]),
  ...PARTS,
  ["2026-11-20 10:00:01,012 ERROR harness: sandbox=0e1f done: TimeoutError: at last", "F"],
];

const BODIES: Record<string, string[]> = {
  "plain CRI": TEXTS.map(([text, tag], i) => cri(text, i, tag)),
  "Fluent Bit": [...CHAINED, ...UNDICI].map(fluentBit),
};

async function seen(deliveries: string[][]) {
  const store = await openMemory();
  const ids: string[] = [];
  for (const lines of deliveries) ids.push((await send(store, `${lines.join("\n")}\n`)).batchId);
  const counts = await store.countObservations({});
  const unread = (await Promise.all(ids.map((id) => rejects(store, id))))
    .flat()
    .map(({ code, sample }) => [code, sample]);
  const counted = (await Promise.all(ids.map((id) => store.batch(id)))).reduce(
    (sum, one) => sum + (one?.rejected ?? 0),
    0,
  );
  const told = await picture(store);
  const batches = ids;
  return { store, batches, seen: { counts, unread: unread.sort(), counted, told } };
}

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

for (const [name, lines] of Object.entries(BODIES)) {
  test(`${name}: one cut anywhere, in either order, changes nothing`, { timeout: 60_000 }, async () => {
    const whole = await seen([lines]);
    expect(whole.seen.counts.length).toBeGreaterThan(2);
    for (let at = 1; at < lines.length; at++) {
      const halves = [lines.slice(0, at), lines.slice(at)];
      expect((await seen(halves)).seen, `cut before line ${at + 1}`).toEqual(whole.seen);
      expect((await seen(halves.reverse())).seen, `cut before line ${at + 1}, the end first`).toEqual(whole.seen);
    }
  });

  test(`${name}: two cuts, near each other, in any order, change nothing`, { timeout: 60_000 }, async () => {
    const whole = await seen([lines]);
    let n = 0;
    for (let at = 1; at < lines.length - 1; at++)
      for (const to of [at + 1, at + 2, at + 5].filter((cut) => cut < lines.length)) {
        const parts = [lines.slice(0, at), lines.slice(at, to), lines.slice(to)];
        const order = ORDERS[n++ % ORDERS.length] as number[];
        const sent = order.map((i) => parts[i] as string[]);
        expect((await seen(sent)).seen, `cut before lines ${at + 1} and ${to + 1}, sent as ${order}`).toEqual(
          whole.seen,
        );
      }
  });
}

test("undoing either delivery takes the join back", async () => {
  const lines = BODIES["plain CRI"] as string[];
  const parts = [lines.slice(0, 5), lines.slice(5)];
  for (const gone of [0, 1]) {
    const both = await seen(parts);
    await both.store.dropBatch(both.batches[gone] as string);
    await settleQueued(both.store);
    const alone = await seen([parts[1 - gone] as string[]]);
    expect(await both.store.countObservations({})).toEqual(alone.seen.counts);
    expect(await picture(both.store)).toEqual(alone.seen.told);
  }
});

test("what an earlier delivery began is no reject in the answer to the one that ends it, nor afterwards in the earlier one's", async () => {
  const store = await openMemory();
  const [first, ...rest] = PARTS.map(([text, tag], i) => cri(text, i, tag)) as [string, ...string[]];
  const begun = await send(store, `${first}\n`);
  expect(begun).toMatchObject({ rejected: 1, rejects: [{ line: 1, code: "incomplete" }] });
  expect(await send(store, `${rest.join("\n")}\n`)).toMatchObject({ rejected: 0, rejects: [] });
  expect(await store.batch(begun.batchId)).toMatchObject({ rejected: 0 });
  expect(await send(store, `${first}\n`)).toMatchObject({ duplicateBatch: true, rejected: 0, rejects: [] });
});

test("a delivery that is sent again is answered with its rejects", async () => {
  const store = await openMemory();
  const body = `${cri("starting", 0)}\nbinary \0\n`;
  const { rejects: first } = await send(store, body);
  expect(first).toHaveLength(1);
  expect(await send(store, body)).toMatchObject({ duplicateBatch: true, rejects: first });
});
