import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { execd } from "@/server/ingest/formats/execd";
import { goDurationMs } from "@/server/ingest/formats/execd-lines";
import { everything, openMemory, send } from "../../support/deliveries";
import { payloadOf, readLines } from "../../support/recording-sink";

const caseFile = (name: string) => readFileSync(new URL(`../../cases/${name}`, import.meta.url), "utf8");
const fixture = (name: string) => readFileSync(new URL(`./fixtures/execd/${name}`, import.meta.url), "utf8");

it("leaves lines of other programs that begin alike to them", async () => {
  const line = (msg: string, more: object, level = "error") =>
    JSON.stringify({ level, ts: "2026-07-21T09:41:30Z", msg, namespace: "opensandbox", ...more });
  const condition = {
    type: "PodFailed",
    status: "True",
    reason: "ImagePullBackOff",
    message: "1/1 observed pods failed",
  };
  const patchData = JSON.stringify({ status: { phase: "Failed", conditions: [condition] } });
  const store = await openMemory();
  const quota = 'pods "warm-a-x" is forbidden: exceeded quota: q';
  const body = [
    line("Patching BatchSandbox status", { name: "s-1", phase: "Failed", patchData }, "info"),
    line("Failed to create pool pod", { name: "warm-a", error: quota }),
    line("GC: queuing orphan pods for release", { name: "warm-a" }, "info"),
  ].join("\n");
  expect(await send(store, `${body}\n`)).toMatchObject({ format: "json-lines", rejected: 0 });
  const found = await everything((page) => store.listIncidents({}, page));
  expect(found.map((one) => one.class).sort()).toEqual([
    "cleanup.leak_suspected",
    "control.unschedulable",
    "pod.image_pull",
  ]);
});

describe("execd", () => {
  it("reads error events in old and new wording alike", () => {
    const { seen } = readLines(execd, fixture("old-and-new.ndjson"));
    const events = seen.filter((one) => one.evidence.kind === "exec_event");
    expect(events.map((one) => [one.label, one.evidence.exitCode])).toEqual([
      ["CommandExecError: 137", 137],
      ["CommandExecError: -1", -1],
      ["ContextCancelled: Interrupt kernel", undefined],
    ]);
  });

  it("tells exits, signals, spawn failures, timeouts, disconnects and starts apart", () => {
    const { seen, routines } = readLines(execd, fixture("old-and-new.ndjson"));
    const rest = seen.filter((one) => one.evidence.kind !== "exec_event").map((one) => one.evidence);
    expect(rest).toMatchObject([
      { kind: "lifecycle", phase: "create" },
      { kind: "exec_log", exitCode: 137 },
      { kind: "exec_log", signal: "killed" },
      { kind: "error", operation: "Ping", sampled: true },
      { kind: "exec_log", message: expect.stringContaining("error starting commands") },
      { kind: "exec_log", timeoutMs: 45_000 },
    ]);
    expect(routines).toHaveLength(1);
    expect(seen[0]?.label).toBe("execd listening");
  });

  it("reads a storm as sampled, and zones as they are written", () => {
    const { seen, routines } = readLines(execd, caseFile("008-execd-zap-sampled.jsonl"));
    const left = seen.filter((one) => one.evidence.sampled);
    expect(left.length).toBeGreaterThan(100);
    const broken = seen.find((one) => one.evidence.message?.includes("broken pipe"));
    expect(broken).toMatchObject({
      at: Date.UTC(2026, 9, 5, 6, 0, 9, 100),
      evidence: { kind: "error", level: "error" },
    });
    expect(routines).toHaveLength(2);
  });

  it("rejects a line that is cut off, also one that begins like a routine line", () => {
    const { rejects, routines } = readLines(
      execd,
      '{"level":"info","ts":"2026-01-01T00:00:00Z","msg":"Requested: POST',
    );
    expect(rejects).toMatchObject([{ code: "incomplete" }]);
    expect(routines).toEqual([]);
  });

  it("leaves other JSON loggers alone", () => {
    expect(execd.accepts(payloadOf('{"level":"error","run":"r-1","msg":"x"}'))).toBe(false);
    expect(execd.accepts(payloadOf('{"level":50,"msg":"x"}'))).toBe(false);
  });

  it.each([
    ["10m0s", 600_000],
    ["1.5s", 1500],
    ["1h2m3s", 3_723_000],
    ["soon", null],
  ])("reads the Go duration %s", (text, ms) => {
    expect(goDurationMs(text)).toBe(ms);
  });
});
