import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventLines } from "@/server/ingest/formats/event-lines";
import { everything, openMemory, send } from "../../support/deliveries";
import { readLines } from "../../support/recording-sink";

const TEXT = readFileSync(new URL("./fixtures/event-lines/alloy.log", import.meta.url), "utf8");
const SANDBOX = "0f0f0f00-1111-2222-3333-444444444440";

test("an event's line says what it is about, and the machine where a kubelet wrote it", () => {
  const sink = readLines(eventLines, TEXT, { namespace: "opensandbox" });
  expect(sink.seen.map((one) => [one.podName, one.node, one.evidence.reason, one.evidence.count])).toEqual([
    [`opensandbox/${SANDBOX}-0`, "node-7", "Failed", 4],
    [undefined, "node-9", "NodeNotReady", 1],
    ["opensandbox/warm-a-x2x4z", undefined, "FailedScheduling", 1],
  ]);
  expect(sink.seen[0]?.evidence.message).toBe('Failed to pull image "registry.test/swe:x": manifest unknown');
});

test("a push of Alloy's event source becomes incidents with time, pod and node; seen again with a higher count it is one", async () => {
  const AT = Date.UTC(2026, 10, 30, 9);
  const stream = {
    namespace: "opensandbox",
    job: "loki.source.kubernetes_events",
    instance: "loki.source.kubernetes_events.cluster",
  };
  const values = TEXT.trimEnd()
    .split("\n")
    .map((line, i) => [`${AT + i * 1000}000000`, line]);
  const again = [`${AT + 60_000}000000`, values[0]?.[1]?.replace("count=4", "count=5")];
  const store = await openMemory();
  await send(store, JSON.stringify({ streams: [{ stream, values: [...values, again] }] }));
  const incidents = await everything((page) => store.listIncidents({}, page));
  expect(incidents.map((one) => [one.class, one.node, one.subject.kind, one.evidence]).sort()).toEqual([
    ["control.unschedulable", null, "podname", 1],
    ["node.not_ready", "node-9", "node", 1],
    ["pod.image_pull", "node-7", "sandbox", 1],
  ]);
  expect(incidents.every((one) => one.firstAt !== null && one.firstAt >= AT)).toBe(true);
});
