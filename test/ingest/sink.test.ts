import { describe, expect, test } from "vitest";
import type { Evidence } from "@/server/domain/evidence";
import { splitRef } from "@/server/domain/refs";
import type { Payload, Seen, Who } from "@/server/ingest/format";
import { RowSink } from "@/server/ingest/sink";
import { labelValue } from "@/server/ingest/sink-who";
import { PARAMS } from "../support/deliveries";

const AT = Date.parse("2026-11-20T04:00:00Z");
const UUID = "00000000-0000-4000-a000-000000000001";
const FORMAT = { name: "test" };

const POD: Who = {
  node: "n-1",
  namespace: "ns",
  pod: "pod-a",
  podUid: "uid-a",
  podIp: "10.0.0.1",
  container: "sandbox",
  stream: "stderr",
  sandbox: "sbx-a",
  run: "run-a",
};

function payload(who: Who, text = "text", at: number | null = AT): Payload {
  return { who, at, text, line: 1 };
}

function observe(who: Who, seen: Omit<Partial<Seen>, "evidence"> & { evidence?: Partial<Evidence> }, params = {}) {
  const sink = new RowSink({ ...PARAMS, ...params });
  const one = payload(who);
  const evidence: Evidence = { layer: "execd", kind: "error", ...seen.evidence };
  sink.read(FORMAT, one, () => sink.observe(one, { ...seen, evidence }));
  const { rows, counts } = sink.take(true);
  const [row] = rows.observations;
  if (!row) throw new Error("no observation");
  const links = rows.links.map((link) => `${link.from} → ${link.to}`);
  return { row, rows, counts, links };
}

const kinds = (refs: readonly string[]) => refs.map((ref) => splitRef(ref).kind);

describe("what an observation is about", () => {
  test("in a sandbox's own pod is the sandbox, then the pod by every name it has", () => {
    const { row, links } = observe(POD, {});
    expect(row.refs).toEqual([
      "sandbox:default/sbx-a",
      "pod:default/uid-a",
      "podname:default/ns/pod-a",
      "ip:default/10.0.0.1",
    ]);
    expect(row).toMatchObject({ node: "n-1", run: "run-a", at: AT });
    expect(links).toEqual([
      "pod:default/uid-a → sandbox:default/sbx-a",
      "podname:default/ns/pod-a → sandbox:default/sbx-a",
      "ip:default/10.0.0.1 → sandbox:default/sbx-a",
      "pod:default/uid-a → sandbox:default/sbx-a",
      "podname:default/ns/pod-a → sandbox:default/sbx-a",
    ]);
  });

  test("is found by a pod's name when the name is a sandbox's", () => {
    const { row } = observe({ pod: `${UUID}-0` }, {});
    expect(row.refs[0]).toBe(`sandbox:default/${UUID}`);
    expect(observe({ pod: "web-0" }, {}).row.refs).toEqual(["podname:default/web-0"]);
  });

  test("is what a server or harness names, not the pod that it runs in nor that pod's machine", () => {
    const server: Who = { node: "n-9", namespace: "sys", pod: "server-0", podUid: "uid-s" };
    const { row } = observe(server, { evidence: { layer: "server" }, sandbox: "sbx-b", attempt: "r-1" });
    expect(row.refs).toEqual(["sandbox:default/sbx-b", "attempt:default/-/test/r-1"]);
    expect(row.node).toBeNull();
  });

  test("is the server's own stream, in ten minutes' buckets, when it names nothing", () => {
    const server: Who = { node: "n-9", namespace: "sys", pod: "server-0", podUid: "uid-s", container: "main" };
    const { row } = observe(server, { evidence: { layer: "server" } });
    expect(row.refs).toEqual([`stream:default/uid:uid-s|main|@${Math.floor(AT / 600_000)}`]);
    expect(row.node).toBe("n-9");
  });

  test("is the machine for a machine's evidence without a pod", () => {
    const { row } = observe({}, { evidence: { layer: "kubernetes" }, node: "n-3" });
    expect(kinds(row.refs)).toEqual(["node"]);
    expect(row.node).toBe("n-3");
    const kernel = observe({ node: "n-4" }, { evidence: { layer: "kernel" } });
    expect(kinds(kernel.row.refs)).toEqual(["node"]);
    const exporter: Who = { pod: "exporter", podUid: "uid-x", node: "n-9" };
    expect(observe(exporter, { evidence: { layer: "kubernetes" }, podUid: "uid-p" }).row.refs).toEqual([
      "pod:default/uid-p",
    ]);
  });

  test("is also filed under its stream where a format asks for it", () => {
    const { row } = observe({}, { evidence: { layer: "harness" }, sandbox: "s", alsoStream: true });
    expect(kinds(row.refs)).toEqual(["sandbox", "stream"]);
  });

  test("joins an attempt's name to its sandbox, and a rollout to its attempt's name", () => {
    const named = observe({}, { evidence: { layer: "harness" }, sandbox: "s", attempt: "r-1" }, { run: "run" });
    expect(named.links).toEqual(["attempt:default/run/test/r-1 → sandbox:default/s"]);
    const rollout = { task: "t", index: 0, attempt: 0 };
    const other = observe({}, { evidence: { layer: "harness" }, rollout, attempt: "r-1" }, { run: "run" });
    expect(other.links[0]).toMatch(/^rollout:default\/\w+ → attempt:default\/run\/test\/r-1$/);
  });

  test("takes the run that the delivery asserts before the label, and the label before the record", () => {
    expect(observe(POD, { run: "own" }, { run: "asserted" }).row.run).toBe("asserted");
    expect(observe(POD, { run: "own" }).row.run).toBe("run-a");
    expect(observe({}, { run: "own" }).row.run).toBe("own");
  });

  test("of our own canaries is marked as theirs", () => {
    expect(observe({ ...POD, labels: { "coalmine-installation": "x" } }, {}).row.origin).toBe("canary");
    expect(observe(POD, {}).row.origin).toBe("fleet");
  });
});

describe("what an envelope says", () => {
  test("is kept once a delivery as facts, and for a pool's pod with the time that it held", () => {
    const sink = new RowSink(PARAMS);
    const pooled = { ...POD, labels: { "sandbox.opensandbox.io/pool-name": "warm", instance_id: "task a" } };
    const text = { bytes: Buffer.from("Requested: x"), from: 0, to: 12 };
    const from = sink.routineSender(pooled, "default|uid:u||");
    const routine = (at: number) => sink.readRoutine(FORMAT, from, 1, at, text);
    for (const at of [AT + 5000, AT, AT + 9000]) expect(routine(at)).toBe(true);
    expect(sink.take(false).rows.facts.map((fact) => [fact.ref, fact.name, fact.value])).toEqual([
      ["sandbox:default/sbx-a", "node", "n-1"],
      ["sandbox:default/sbx-a", "run", "run-a"],
      ["sandbox:default/sbx-a", "podName", "ns/pod-a"],
    ]);
    routine(AT + 20_000);
    expect(sink.take(false).rows.facts).toEqual([]);
    const { rows } = sink.take(true);
    expect(rows.links).toContainEqual({
      from: "pod:default/uid-a",
      to: "sandbox:default/sbx-a",
      since: AT,
      until: AT + 20_000,
      how: "label",
    });
    expect(rows.links.find((link) => link.from.startsWith("instance:"))?.from).toBe("instance:default/run-a/task_a");
    expect(rows.sightings).toEqual([
      { ref: "pod:default/uid-a", run: "run-a", node: "n-1", format: "test", hour: AT, lines: 4 },
    ]);
  });

  test("cleans names as label values are cleaned", () => {
    expect(labelValue("alias::task")).toBe("alias_task");
    expect(labelValue("a__b-1")).toBe("a__b-1");
    expect(labelValue(`.${"x".repeat(80)}.`)).toBe("x".repeat(63));
  });
});

describe("a payload", () => {
  test("of which a format makes nothing is counted as routine; one that it fails on is shown", () => {
    const sink = new RowSink(PARAMS);
    sink.read(FORMAT, payload({}), () => undefined);
    sink.read(FORMAT, payload({}), () => {
      throw new TypeError("x is undefined");
    });
    const { rows, counts } = sink.take(true);
    expect(counts).toMatchObject({ records: 2, routine: 1, rejected: 1 });
    expect(rows.rejects).toMatchObject([
      { line: 1, code: "unreadable", message: expect.stringContaining("TypeError") },
    ]);
  });

  test("that is seen twice in a pod's stream at one time counts once, at two times twice", () => {
    const sink = new RowSink(PARAMS);
    for (const at of [AT, AT, AT + 200]) {
      const one = payload(POD, "same", at);
      sink.read(FORMAT, one, () => sink.observe(one, { evidence: { layer: "execd", kind: "error" } }));
    }
    const { rows, counts } = sink.take(true);
    expect(rows.observations).toHaveLength(2);
    expect(counts).toMatchObject({ observations: 3, duplicates: 1 });
  });
});
