import { expect, test } from "vitest";
import { classify } from "@/server/classify/classify";
import { canary } from "@/server/ingest/formats/canary";
import { readLines } from "../../support/recording-sink";

const head = { coalmine: "canary/1", installation: "0f1e", canary: "c-1", target: "prod", plan: "smoke" };
const at = "2026-11-01T10:00:05.000Z";
const record = {
  id: "coalmine-7",
  operation: "exec",
  method: "POST",
  path: "/v1/sandboxes/s1/proxy/44772/command",
  startedAt: Date.parse(at) - 40,
  totalMs: 40,
  socket: { localPort: 50_000, reused: true, idleMs: 4_950 },
  status: null,
  bytesRead: 0,
  code: "UND_ERR_SOCKET",
  message: "other side closed",
  ownFault: false,
};
const line = (more: object) => JSON.stringify({ ...head, at, cycle: "y", sandbox: "s1", node: "gpu-07", ...more });

test("a failed probe is judged by the same rules as any client's error", () => {
  const { seen } = readLines(canary, line({ kind: "probe", ok: false, record, problem: null }));
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatchObject({ sandbox: "s1", node: "gpu-07", label: "canary exec failed" });
  expect(seen[0] && classify(seen[0].evidence).class).toBe("transport.stale_keepalive");
});

test("a probe that was our own fault is no evidence about the fleet", () => {
  const own = { kind: "probe", ok: false, record: { ...record, ownFault: true }, problem: null };
  const { seen, routines } = readLines(canary, line(own));
  expect([seen.length, routines.length]).toEqual([0, 1]);
});

test("a command that went well afterwards ends the failure, a create that went well begins the sandbox", () => {
  const good = { ...record, code: null, message: null, status: 200 };
  const { seen } = readLines(
    canary,
    [
      line({ kind: "probe", ok: true, record: good, problem: null }),
      line({ kind: "probe", ok: true, record: { ...good, operation: "create" }, problem: null }),
    ].join("\n"),
  );
  expect(seen.map((one) => [one.evidence.kind, one.evidence.phase])).toEqual([
    ["success", "exec"],
    ["lifecycle", "create"],
  ]);
});

test("a cycle says on which node and under which limits the sandbox ran, and how it went", () => {
  const cycle = {
    kind: "cycle",
    ok: true,
    createdAt: "2026-11-01T10:00:00.000Z",
    pod: "s1-0",
    namespace: "opensandbox",
  };
  const { seen, facts } = readLines(canary, line({ ...cycle, limits: { memory: "512Mi", cpu: "500m" }, requests: {} }));
  expect(seen[0]).toMatchObject({ label: "canary passed", podName: "opensandbox/s1-0", node: "gpu-07" });
  expect(Object.fromEntries(facts.map((fact) => [fact.name, fact.value]))).toEqual({
    node: "gpu-07",
    createdAt: Date.parse("2026-11-01T10:00:00Z"),
    endedAt: Date.parse(at),
    memoryLimit: 536_870_912,
    cpuLimit: 0.5,
  });
});

test.each([
  ["a line that is cut", line({ kind: "probe", record }).slice(0, 80), "incomplete"],
  ["a probe without its record", line({ kind: "probe" }), "missing_field"],
  ["another kind", line({ kind: "plan" }), "missing_field"],
  ["a line without a time", JSON.stringify({ ...head, kind: "cycle", sandbox: "s" }), "missing_field"],
  ["a cycle without a sandbox", JSON.stringify({ ...head, at, kind: "cycle" }), "missing_field"],
])("%s is a reject", (_, text, code) => {
  expect(readLines(canary, text).rejects).toEqual([expect.objectContaining({ code })]);
});
