import fc from "fast-check";
import { expect, test } from "vitest";
import { incidents, openMemory, send } from "../support/deliveries";

interface Event {
  pod: number;
  /** Seconds after the first. */
  second: number;
}

const BEGAN = Date.parse("2026-10-06T12:00:00Z");
const atOf = (event: Event): number => BEGAN + event.second * 1_000;
const UIDS = ["8eb38dc5-9725-493f-921e-84f871c93966", "aaf3d2bd-5fe7-4386-bde6-a468a46bc2d6"];
const LABELS = (pod: number) => ({ "opensandbox.io/id": `s-${pod}`, "nemo-gym.nvidia.com/run": "r-1" });

function lineOf(event: Event): string {
  const ts = new Date(atOf(event)).toISOString();
  const what = event.second % 2 === 0 ? "resource temporarily unavailable" : "no such file or directory";
  return JSON.stringify({
    level: "error",
    ts,
    msg: `CommandExecError: error starting commands: fork/exec /bin/bash: ${what}`,
  });
}

/** One body in which a collector sends these events. */
type Sender = (events: readonly Event[]) => string;

const lines =
  (one: (event: Event) => object): Sender =>
  (events) =>
    events.map((event) => `${JSON.stringify(one(event))}\n`).join("");

const fluentBit = lines((event) => ({
  date: atOf(event) / 1_000,
  stream: "stdout",
  log: lineOf(event),
  kubernetes: {
    pod_name: `p-${event.pod}`,
    namespace_name: "ns",
    pod_id: UIDS[event.pod],
    host: `n-${event.pod}`,
    container_name: "sandbox",
    labels: LABELS(event.pod),
  },
}));
const vector = lines((event) => ({
  kubernetes: {
    container_name: "sandbox",
    pod_labels: LABELS(event.pod),
    pod_name: `p-${event.pod}`,
    pod_namespace: "ns",
    pod_node_name: `n-${event.pod}`,
    pod_uid: UIDS[event.pod],
  },
  message: lineOf(event),
  source_type: "kubernetes_logs",
  stream: "stdout",
  timestamp: new Date(atOf(event)).toISOString(),
}));
const otlp: Sender = (events) => {
  const attribute = ([key, value]: [string, string]) => ({ key, value: { stringValue: value } });
  const resourceLogs = events.map((event) => {
    const labels = Object.entries(LABELS(event.pod)).map(([name, value]): [string, string] => [
      `k8s.pod.labels.${name}`,
      value,
    ]);
    const own = {
      "k8s.pod.name": `p-${event.pod}`,
      "k8s.namespace.name": "ns",
      "k8s.pod.uid": UIDS[event.pod] ?? "",
      "k8s.node.name": `n-${event.pod}`,
      "k8s.container.name": "sandbox",
      "log.iostream": "stdout",
    };
    const attributes = [...Object.entries(own), ...labels].map(attribute);
    const logRecords = [{ timeUnixNano: `${atOf(event)}000000`, body: { stringValue: lineOf(event) } }];
    return { resource: { attributes }, scopeLogs: [{ logRecords }] };
  });
  return JSON.stringify({ resourceLogs });
};
/** Loki's labels are whichever its sender's config gives: `without` those. */
const loki =
  (...without: string[]): Sender =>
  (events) =>
    JSON.stringify({
      streams: events.map((event) => {
        const labels: Record<string, string | undefined> = {
          namespace: "ns",
          pod: `p-${event.pod}`,
          pod_uid: UIDS[event.pod],
          node: `n-${event.pod}`,
          container: "sandbox",
          stream: "stdout",
          opensandbox_io_id: `s-${event.pod}`,
          nemo_gym_nvidia_com_run: "r-1",
        };
        for (const name of without) delete labels[name];
        return { stream: labels, values: [[`${atOf(event)}000000`, lineOf(event)]] };
      }),
    });
const COLLECTORS: readonly Sender[] = [
  fluentBit,
  vector,
  otlp,
  loki(),
  // promtail's usual labels have no UID; Alloy reads through the API, which does not say stdout or stderr.
  loki("pod_uid"),
  loki("stream"),
];

const cri: Sender = (events) =>
  events.map((event) => `${new Date(atOf(event)).toISOString()} stdout F ${lineOf(event)}\n`).join("");
const dockerFile = lines((event) => ({
  log: `${lineOf(event)}\n`,
  stream: "stdout",
  time: new Date(atOf(event)).toISOString(),
}));

async function pictureAfter(bodies: readonly string[]): Promise<string[]> {
  const store = await openMemory();
  for (const body of bodies) await send(store, body);
  const found = (await incidents(store)).map((one) => [
    one.class,
    one.sandbox,
    one.node,
    one.run,
    one.firstAt,
    one.lastAt,
    one.attempts,
    [...one.keys].sort(),
  ]);
  await store.close();
  return found.map((one) => JSON.stringify(one)).sort();
}

const events = fc.uniqueArray(fc.record({ pod: fc.nat(1), second: fc.nat(200) }), {
  minLength: 1,
  maxLength: 8,
  selector: ({ pod, second }) => `${pod}-${second}`,
});

/** Each delivery is by one of `senders` of some of the events, in any order; then who had not been sent yet. */
function deliveriesOf(all: readonly Event[], senders: readonly Sender[]): fc.Arbitrary<string[]> {
  const some = fc.tuple(fc.constantFrom(...senders), fc.shuffledSubarray([...all], { minLength: 1 }));
  return fc.array(some, { maxLength: 5 }).chain((sent) => {
    const seen = new Set(sent.flatMap(([, part]) => part));
    const rest = all.filter((event) => !seen.has(event));
    const last = rest.length > 0 ? senders.map((sender) => sender(rest)) : [];
    return fc.shuffledSubarray([...sent.map(([sender, part]) => sender(part)), ...last.slice(0, 1)], {
      minLength: sent.length + Math.min(last.length, 1),
    });
  });
}

const mixed = (senders: readonly Sender[]) =>
  events.chain((all) => deliveriesOf(all, senders).map((bodies) => ({ all, bodies })));

test("whichever collectors bring a pod's lines, in any order, split and repeated, each counts once", async () => {
  await fc.assert(
    fc.asyncProperty(mixed(COLLECTORS), async ({ all, bodies }) => {
      const plain = await pictureAfter([fluentBit(all)]);
      expect(plain.length).toBeGreaterThan(0);
      expect(await pictureAfter(bodies)).toEqual(plain);
    }),
    { numRuns: 25, seed: 11 },
  );
});

test("a runtime's file and a docker file of the same lines count once", async () => {
  await fc.assert(
    fc.asyncProperty(mixed([cri, dockerFile]), async ({ all, bodies }) => {
      const plain = await pictureAfter([cri(all)]);
      expect(plain.length).toBeGreaterThan(0);
      expect(await pictureAfter(bodies)).toEqual(plain);
    }),
    { numRuns: 15, seed: 12 },
  );
});

test("the same line at the same time by pods of one name in two namespaces, or of two names, is two", async () => {
  const push = (pod: string, namespace: string) =>
    JSON.stringify({
      streams: [
        {
          stream: { pod, namespace, container: "c" },
          values: [["1791288000000000000", lineOf({ pod: 0, second: 0 })]],
        },
      ],
    });
  const store = await openMemory();
  for (const body of [push("p", "a"), push("p", "b"), push("q", "a"), push("p", "a")]) await send(store, body);
  expect((await incidents(store)).flatMap((one) => one.keys)).toHaveLength(3);
});
