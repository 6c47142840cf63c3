/** Evidence that our own canary engine wrote: failed probes, what went well after them, and each sandbox with its node. */

import { type ProbeProblem, probeEvidence } from "@/server/canary/probe-evidence";
import { CANARY_LINE } from "@/server/domain/canary";
import { FACT_RANK } from "@/server/domain/facts";
import { quantity } from "@/server/domain/quantity";
import { makeRef } from "@/server/domain/refs";
import type { Format, FormatContext, Payload, Seen, Sink } from "../format";
import { probeOf, problemIn } from "./canary-probe";
import { booleanOf, type JsonObject, jsonFault, objectAt, objectOf, textOf } from "./json-fields";

const MARK = `"coalmine":"${CANARY_LINE}"`;

export const canary: Format = {
  name: "canary",
  title: "Evidence of Coalmine's own canaries, as the engine writes it",
  unit: "line",
  accepts: ({ text }) => text.startsWith(`{${MARK}`),
  read(payload, sink, context) {
    const line = objectOf(payload);
    if (!line) {
      const fault = jsonFault(payload.text);
      sink.reject(payload.line, fault.code, fault.message, payload.text);
      return;
    }
    const at = Date.parse(textOf(line, "at") ?? "");
    if (Number.isNaN(at)) {
      sink.reject(payload.line, "missing_field", "at: is no time", payload.text);
      return;
    }
    const labels = { ...payload.who.labels, "coalmine-installation": textOf(line, "installation") ?? "unknown" };
    const from: Payload = { ...payload, at, who: { ...payload.who, labels } };
    const kind = textOf(line, "kind");
    if (kind === "probe") readProbe(line, from, sink);
    else if (kind === "cycle") readCycle(line, from, sink, context);
    else
      sink.reject(payload.line, "missing_field", `kind: ${kind ?? "is missing"} is none of probe, cycle`, payload.text);
  },
};

function aboutOf(line: JsonObject): Pick<Seen, "sandbox" | "node"> {
  const sandbox = textOf(line, "sandbox");
  const node = textOf(line, "node");
  return { ...(sandbox ? { sandbox } : {}), ...(node ? { node } : {}) };
}

function readProbe(line: JsonObject, payload: Payload, sink: Sink): void {
  const record = probeOf(objectAt(line, "record"));
  if (!record) {
    sink.reject(payload.line, "missing_field", "record: is no probe", payload.text);
    return;
  }
  if (record.ownFault) {
    // Our own trouble says nothing of the target; the cycle's line tells that it was left out.
    sink.routine(payload);
    return;
  }
  const problem: ProbeProblem | null = problemIn(objectAt(line, "problem"));
  const daemonAnswered = booleanOf(line, "daemonAnswered");
  const found = { ...probeEvidence(record, problem), ...(daemonAnswered === undefined ? {} : { daemonAnswered }) };
  const ok = booleanOf(line, "ok") === true;
  const { message: _, code: __, ...went } = found;
  const evidence = ok
    ? { ...went, kind: record.operation === "create" ? ("lifecycle" as const) : ("success" as const) }
    : found;
  const why = problem?.message ?? record.message ?? `HTTP ${record.status ?? "without an answer"}`;
  const text = `canary ${textOf(line, "target") ?? ""} ${record.operation} ${ok ? "ok" : why}`;
  sink.observe(payload, {
    evidence,
    ...aboutOf(line),
    text,
    label: `canary ${record.operation} ${ok ? "ok" : "failed"}`,
  });
}

/** One sandbox's life: where it ran, under which limits, and whether all went well. */
function readCycle(line: JsonObject, payload: Payload, sink: Sink, { params }: FormatContext): void {
  const sandbox = textOf(line, "sandbox");
  if (sandbox === undefined) {
    sink.reject(payload.line, "missing_field", "sandbox: is missing", payload.text);
    return;
  }
  const [ownFault, cancelled] = [booleanOf(line, "ownFault") === true, booleanOf(line, "cancelled") === true];
  const word = ownFault ? "left out" : cancelled ? "cancelled" : booleanOf(line, "ok") === true ? "passed" : "failed";
  const evidence = {
    layer: "canary",
    kind: "lifecycle",
    phase: "teardown",
    operation: "cycle",
    finishedStatus: word,
  } as const;
  const pod = podNameOf(line);
  const about = { ...aboutOf(line), ...(pod ? { podName: pod } : {}) };
  const label = `canary ${word}`;
  sink.observe(payload, { evidence, ...about, label, text: `canary ${textOf(line, "target") ?? ""} cycle ${word}` });
  const ref = makeRef("sandbox", params.cluster, sandbox);
  for (const [name, value] of Object.entries(factsIn(line, payload.at))) {
    if (value !== undefined && value !== null) sink.fact({ ref, name, value, rank: FACT_RANK.server, at: payload.at });
  }
}

function podNameOf(line: JsonObject): string | undefined {
  const [pod, namespace] = [textOf(line, "pod"), textOf(line, "namespace")];
  return pod !== undefined && namespace !== undefined ? `${namespace}/${pod}` : pod;
}

function factsIn(line: JsonObject, endedAt: number | null): Record<string, string | number | null | undefined> {
  const createdAt = Date.parse(textOf(line, "createdAt") ?? "");
  const [limits, requests] = [objectAt(line, "limits"), objectAt(line, "requests")];
  return {
    node: textOf(line, "node"),
    createdAt: Number.isNaN(createdAt) ? null : createdAt,
    endedAt,
    memoryLimit: quantity(textOf(limits, "memory")),
    memoryRequest: quantity(textOf(requests, "memory")),
    cpuLimit: quantity(textOf(limits, "cpu")),
    cpuRequest: quantity(textOf(requests, "cpu")),
  };
}
