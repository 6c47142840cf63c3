import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { kubectlDescribe } from "@/server/ingest/formats/kubectl-describe";
import { everything, openMemory, send } from "../../support/deliveries";
import { readLines } from "../../support/recording-sink";

const fixture = (name: string) => readFileSync(new URL(`./fixtures/kubectl-describe/${name}`, import.meta.url), "utf8");
const SANDBOX = "3f0c8a52-6b1e-4c77-9a0d-5d2b7e91c4aa";
const POD = `opensandbox/${SANDBOX}-0`;
const END = Date.UTC(2026, 7, 18, 4, 9, 58);

describe("kubectl describe", () => {
  const pods = readLines(kubectlDescribe, fixture("pods.txt").replace(/\n+/g, "\n"));

  test("of a pod tells whose container ended, where, when and why", () => {
    const ends = pods.seen.filter(({ evidence }) => evidence.kind === "container_end");
    expect(ends.map((one) => [one.podName, one.sandbox, one.node, one.at, one.evidence])).toMatchObject([
      [POD, SANDBOX, "node-7", END, { reason: "OOMKilled", exitCode: 137, mainContainer: true, restartCount: 1 }],
      [POD, SANDBOX, "node-7", END - 594_000, { reason: "Completed", exitCode: 0, mainContainer: false }],
    ]);
  });

  test("of a pod gives its limits, its run and its address from its start on", () => {
    const facts = Object.fromEntries(pods.facts.filter(({ ref }) => ref.endsWith(POD)).map((f) => [f.name, f.value]));
    const [memoryLimit, memoryRequest] = [2 * 2 ** 30, 2 ** 30];
    const run = { run: "eval-7", instance: "astropy__astropy-12907" };
    expect(facts).toMatchObject({
      node: "node-7",
      phase: "Running",
      cpuLimit: 2,
      cpuRequest: 0.5,
      memoryLimit,
      memoryRequest,
      ...run,
    });
    const since = Date.UTC(2026, 7, 18, 4, 0, 2);
    const address = { from: "ip:default/10.61.4.27", to: `pod:default/${POD}`, since, until: null, how: "ip" };
    expect(pods.links).toContainEqual(address);
  });

  test("of a pod gives its events, with their counts and without a time", () => {
    const events = pods.seen.filter(({ evidence }) => evidence.kind === "event");
    expect(events.map((one) => [one.podName, one.at, one.evidence])).toMatchObject([
      [POD, null, { reason: "Unhealthy", count: 3, message: expect.stringContaining("statuscode: 502") }],
      [
        "opensandbox/warm-a-x2x4z",
        null,
        { reason: "FailedScheduling", message: expect.stringContaining("Insufficient") },
      ],
    ]);
  });

  test("of a node gives the conditions that are bad", () => {
    const node = readLines(kubectlDescribe, fixture("node.txt"));
    const at = Date.UTC(2026, 7, 18, 4, 6, 30);
    expect(node.seen.map((one) => [one.node, one.at, one.evidence.reason])).toEqual([
      ["node-9", at, "Ready"],
      ["node-9", null, "NodeNotReady"],
    ]);
    expect(node.facts).toContainEqual(expect.objectContaining({ name: "condition.MemoryPressure", value: "False" }));
  });

  test("of a pod and its object tell of one end, whichever came first", async () => {
    const text = fixture("pods.txt");
    const terminated = { reason: "OOMKilled", exitCode: 137, finishedAt: "2026-08-18T04:09:58Z" };
    const object = JSON.stringify({
      kind: "Pod",
      metadata: {
        name: `${SANDBOX}-0`,
        namespace: "opensandbox",
        uid: "u-1",
        labels: { "opensandbox.io/id": SANDBOX },
      },
      spec: { nodeName: "node-7" },
      status: { containerStatuses: [{ name: "sandbox", restartCount: 1, state: {}, lastState: { terminated } }] },
    });
    for (const bodies of [[text], [text, object], [object, text]]) {
      const store = await openMemory();
      for (const body of bodies) await send(store, body);
      const killed = await everything((page) => store.listIncidents({ classes: ["pod.oom_killed"] }, page));
      expect(killed.map((one) => [one.sandbox, one.node, one.confidence])).toEqual([[SANDBOX, "node-7", "certain"]]);
    }
  });
});
