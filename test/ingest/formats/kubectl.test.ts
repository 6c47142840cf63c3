import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quantity } from "@/server/domain/quantity";
import { kubectl } from "@/server/ingest/formats/kubectl";
import { contextWith, payloadOf, RecordingSink, readDocument, readLines } from "../../support/recording-sink";

const caseFile = (name: string) => readFileSync(new URL(`../../cases/${name}`, import.meta.url), "utf8");
const mixed = readFileSync(new URL("./fixtures/kubectl/mixed.json", import.meta.url), "utf8");
const sink = readDocument(kubectl, mixed);
const SANDBOX = "3f0c8a52-6b1e-4c77-9a0d-5d2b7e91c4aa";

describe("kubectl pods", () => {
  it("proves one end per terminated record, and calls a helper container a helper", () => {
    const { seen } = readDocument(kubectl, caseFile("005-kubectl-pods-137-and-oom.json"));
    const ends = seen.filter((one) => one.evidence.kind === "container_end");
    expect(
      ends.map((one) => [
        one.podName,
        one.node,
        one.evidence.reason,
        one.evidence.exitCode,
        one.evidence.mainContainer,
        one.evidence.deleting ?? false,
      ]),
    ).toEqual([
      ["sandboxes/sbx-a-0", "node-11", "OOMKilled", 137, true, false],
      ["sandboxes/sbx-b-0", "node-11", "OOMKilled", 137, true, false],
      ["sandboxes/sbx-c-0", "node-12", "Error", 137, true, false],
      ["sandboxes/sbx-d-0", "node-12", "Error", 137, true, true],
      ["sandboxes/sbx-e-0", "node-13", "OOMKilled", 0, true, false],
      ["sandboxes/sbx-f-0", "node-13", "ContainerStatusUnknown", 137, true, false],
      ["sandboxes/sbx-g-0", "node-13", "OOMKilled", 137, false, false],
      ["sandboxes/sbx-h-0", "node-12", "Error", 143, true, false],
    ]);
    expect(ends[1]?.evidence.restartCount).toBe(2);
    expect(new Set(ends.map((one) => one.naturalKey)).size).toBe(8);
  });

  it("gives an end the same key when it has become the last state", () => {
    const end = '{"exitCode":137,"reason":"OOMKilled","finishedAt":"2026-03-01T10:00:00Z"}';
    const pod = (status: string) =>
      `{"kind":"Pod","metadata":{"name":"p","uid":"u"},"status":{"containerStatuses":[${status}]}}`;
    const before = readDocument(kubectl, pod(`{"name":"sandbox","restartCount":0,"state":{"terminated":${end}}}`));
    const after = readDocument(
      kubectl,
      pod(`{"name":"sandbox","restartCount":1,"state":{"running":{}},"lastState":{"terminated":${end}}}`),
    );
    expect(before.seen[0]?.naturalKey).toBe(after.seen[0]?.naturalKey);
  });

  it("links name and address to the pod for the time it held them, and the pod to its sandbox", () => {
    const since = Date.UTC(2026, 2, 1, 10);
    const until = Date.UTC(2026, 2, 1, 11, 0, 5);
    expect(sink.links.slice(0, 4)).toEqual([
      { from: `podname:default/opensandbox/${SANDBOX}-0`, to: "pod:default/pod-1", since, until, how: "name" },
      { from: "ip:default/10.0.0.7", to: "pod:default/pod-1", since, until, how: "ip" },
      { from: "pod:default/pod-1", to: `sandbox:default/${SANDBOX}`, since: null, until: null, how: "name" },
      { from: "instance:default/run-a/a__b-1", to: `sandbox:default/${SANDBOX}`, since, until, how: "label" },
    ]);
  });

  it("reads limits and requests apart, in bytes and cores", () => {
    const facts = Object.fromEntries(
      sink.facts.filter((f) => f.ref === "pod:default/pod-1").map((f) => [f.name, f.value]),
    );
    expect(facts).toMatchObject({
      node: "node-1",
      memoryLimit: 4 * 2 ** 30,
      memoryRequest: 512 * 2 ** 20,
      cpuLimit: 2,
      cpuRequest: 0.5,
      run: "run-a",
      phase: "Failed",
    });
  });

  it("reads the pod's own reason, what its containers wait for and why it is not placed", () => {
    const statuses = sink.seen.filter((one) => ["pod_status", "condition"].includes(one.evidence.kind) && one.podUid);
    expect(
      statuses.map((one) => [one.podUid, one.evidence.kind, one.evidence.reason, one.evidence.finishedStatus]),
    ).toEqual([
      ["pod-1", "pod_status", "Evicted", undefined],
      ["pod-1", "condition", "DisruptionTarget", "True"],
      ["pod-2", "pod_status", "ImagePullBackOff", undefined],
      ["pod-2", "condition", "PodScheduled", "False"],
    ]);
    expect(statuses[0]?.at).toBe(Date.UTC(2026, 2, 1, 11));
  });

  it("rejects a wrong type by its path, that object only", () => {
    expect(sink.rejects).toEqual([
      {
        line: 1,
        code: "invalid_type",
        message: "items[2].status.containerStatuses[0].state.terminated.exitCode must be a number, got string",
      },
      { line: 1, code: "invalid_type", message: "items[6].reason must be a string, got number" },
    ]);
  });
});

describe("kubectl events, nodes and sandboxes", () => {
  it("reads both event APIs, with node, count and a key that a repeat shares", () => {
    const { seen, facts } = readDocument(kubectl, caseFile("011-image-pull-events.json"));
    expect(seen).toHaveLength(9);
    expect(seen[0]).toMatchObject({
      podUid: "7d15d2a8-1add-4f1d-af0e-0e11bf6ddf07",
      podName: "sandboxes/sbx-p1-0",
      node: "node-41",
      naturalKey: "event|212b6e92-a677-4b8b-aa09-265e4c661304",
      evidence: { kind: "event", reason: "Failed", count: 4, level: "warn" },
    });
    expect(seen[7]?.evidence).toMatchObject({ kind: "success", phase: "create", reason: "Pulled" });
    expect(seen[8]).toMatchObject({
      node: "node-42",
      at: Date.UTC(2026, 9, 6, 7, 4),
      evidence: { message: expect.stringContaining("pull QPS exceeded"), count: 6 },
    });
    expect(facts.filter((f) => f.name === "node").map((f) => f.value)).toContain("node-43");
  });

  it("takes a node's conditions as facts and the bad ones as evidence", () => {
    expect(sink.facts.filter((f) => f.ref === "node:default/node-1").map((f) => [f.name, f.value])).toEqual([
      ["condition.DiskPressure", "True"],
      ["condition.Ready", "True"],
      ["condition.MemoryPressure", "False"],
    ]);
    expect(sink.seen.filter((one) => one.node === "node-1" && !one.podUid).map((one) => one.evidence.reason)).toEqual([
      "DiskPressure",
    ]);
  });

  it("reads a pool sandbox's pods and addresses, and the scheduler's node", () => {
    expect(sink.links).toContainEqual({
      from: "podname:default/opensandbox/warm-a-x1",
      to: "sandbox:default/sb-1",
      since: Date.UTC(2026, 2, 1, 10),
      until: null,
      how: "annotation",
    });
    expect(sink.links).toContainEqual({
      from: "ip:default/10.0.0.9",
      to: "sandbox:default/sb-1",
      since: Date.UTC(2026, 2, 1, 10),
      until: null,
      how: "annotation",
    });
    expect(sink.facts).toContainEqual(
      expect.objectContaining({ ref: "pod:default/pod-2", name: "node", value: "node-2" }),
    );
  });

  it("reads objects a line and watch events, and takes an event's expiry for nothing", () => {
    const event =
      '"object":{"kind":"Event","metadata":{"name":"e","uid":"u"},"involvedObject":{"kind":"Pod","name":"p","uid":"x"},"reason":"Unhealthy","message":"m"}';
    const lines = readLines(kubectl, `{"type":"ADDED",${event}}\n{"type":"DELETED",${event}}`);
    expect(lines.seen).toHaveLength(1);
  });

  it("says that a cut document is incomplete", () => {
    expect(readDocument(kubectl, '{"kind":"List","items":[{"kind":"Pod"').rejects).toMatchObject([
      { code: "incomplete" },
    ]);
  });

  it("never throws on any object with these keys", () => {
    const object = fc.dictionary(
      fc.constantFrom(
        "kind",
        "metadata",
        "status",
        "spec",
        "items",
        "reason",
        "involvedObject",
        "containerStatuses",
        "conditions",
      ),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.constantFrom("Pod", "Event", "Node", "BatchSandbox", "List"), object, (kind, one) => {
        const text = JSON.stringify({ metadata: { name: "n" }, ...one, kind });
        kubectl.read(payloadOf(text), new RecordingSink(), contextWith());
      }),
    );
  });
});

describe("quantities", () => {
  it.each([
    ["4Gi", 4 * 2 ** 30],
    ["500m", 0.5],
    ["1e3", 1000],
    ["128974848", 128974848],
    ["12 apples", null],
    [null, null],
  ])("%s", (text, value) => {
    expect(quantity(text)).toBe(value);
  });
});
