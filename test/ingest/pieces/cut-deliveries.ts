/** Lines that belong together, and what comes of them in one delivery or in several. */
import { openMemory, picture, rejects, send } from "../../support/deliveries";

const POD = { pod_name: "harness-0", pod_id: "u-1", namespace_name: "rl", container_name: "main", host: "n1" };
const T0 = Date.parse("2026-11-20T10:00:00Z");
/** Lines as the runtime stamps them: some nanoseconds apart, so within one millisecond. */
const stamp = (i: number) =>
  new Date(T0 + Math.floor(i / 4)).toISOString().replace("Z", `${String((i % 4) * 1000).padStart(6, "0")}Z`);
/** As a line of the runtime: the `i`-th, `tag` F for a whole one. */
export const cri = (text: string, i: number, tag = "F") => `${stamp(i)} stderr ${tag} ${text}`;
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
/** One long line, in the parts that the runtime cuts it into. */
export const PARTS: [string, string][] = [
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

/** The same lines as two collectors bring them. */
export const BODIES: Record<string, string[]> = {
  "plain CRI": TEXTS.map(([text, tag], i) => cri(text, i, tag)),
  "Fluent Bit": [...CHAINED, ...UNDICI].map(fluentBit),
};

/** What is told of `deliveries`, sent one after the other to an empty store; each is a list of lines. */
export async function seen(deliveries: string[][]) {
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
