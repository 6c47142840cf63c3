/** SWE-bench: a run's final report (lists of instance ids by outcome) and one instance's `report.json`. */
import type { Evidence } from "@/server/domain/evidence";
import type { Format, FormatContext, Payload, SeenRollout, Sink } from "../format";
import { blankRollout, HONEST_ZERO } from "./blank-rollout";
import { booleanOf, isObject, type JsonObject, jsonFault, objectAt, objectOf, textOf, typeWord } from "./json-fields";

const LOOKS = /"resolved_ids"\s*:|"patch_successfully_applied"\s*:/;
const LISTS = [
  "resolved_ids",
  "unresolved_ids",
  "empty_patch_ids",
  "error_ids",
  "incomplete_ids",
  "infra_failure_ids",
] as const;

export const sweBench: Format = {
  name: "swe-bench",
  title: "SWE-bench reports of a run or of one instance",
  unit: "document",
  accepts(payload) {
    if (payload.json === undefined && !(/^\s*\{/.test(payload.text) && LOOKS.test(payload.text))) return false;
    const object = objectOf(payload);
    return object === null ? payload.json === undefined : isRunReport(object) || isInstanceReport(object);
  },
  read: readReport,
};

function isRunReport(object: JsonObject): boolean {
  return "resolved_ids" in object && "total_instances" in object;
}

function isInstanceReport(object: JsonObject): boolean {
  const reports = Object.values(object);
  return (
    reports.length > 0 &&
    reports.every((one) => isObject(one) && "patch_successfully_applied" in one && "resolved" in one)
  );
}

function readReport(payload: Payload, sink: Sink, _context: FormatContext): void {
  const report = objectOf(payload);
  const fault = report && isRunReport(report) ? faultOf(report) : null;
  if (!report || fault) {
    const { code, message } = fault ? { code: "invalid_type" as const, message: fault } : jsonFault(payload.text);
    sink.reject(payload.line, code, message, payload.text.slice(0, 500));
    return;
  }
  const rollouts = isRunReport(report) ? fromRun(report, sink) : fromInstances(report);
  for (const rollout of rollouts) sink.rollout(payload, rollout);
}

function faultOf(report: JsonObject): string | null {
  const bad = LISTS.find((name) => report[name] !== undefined && !Array.isArray(report[name]));
  return bad ? `${bad} must be an array, got ${typeWord(report[bad])}` : null;
}

/** Instances that did not finish are planned and have no record; the report's own word for infrastructure is kept as its class. */
function fromRun(report: JsonObject, sink: Sink): SeenRollout[] {
  const ids = (name: (typeof LISTS)[number]) => textsOf(report[name]);
  const reasons = objectAt(report, "failure_reasons") ?? {};
  const infra = new Set(ids("infra_failure_ids"));
  for (const task of ids("incomplete_ids")) sink.planned({ task, index: 0 });
  const unresolved = [...new Set([...ids("unresolved_ids"), ...ids("empty_patch_ids")])];
  const failed = [...new Set([...ids("error_ids"), ...infra])];
  return [
    ...ids("resolved_ids").map((task) => judged(task, true, null)),
    ...unresolved
      .filter((task) => !failed.includes(task))
      .map((task) => judged(task, false, ids("empty_patch_ids").includes(task))),
    ...failed.map((task) => errored(task, textsOf(reasons[task]), infra.has(task))),
  ];
}

function judged(task: string, resolved: boolean, emptyPatch: boolean | null): SeenRollout {
  return {
    ...blankRollout(task),
    index: 0,
    reward: resolved ? 1 : 0,
    producerPassed: resolved,
    scored: true,
    hasPatch: emptyPatch === null ? null : !emptyPatch,
    evidence: resolved ? [] : [...HONEST_ZERO],
  };
}

function errored(task: string, reasons: string[], infra: boolean): SeenRollout {
  const evidence: Evidence = {
    layer: "record",
    kind: "error",
    producerClass: reasons[0] ?? (infra ? "infra_failure" : "error"),
  };
  evidence.message = reasons.length > 0 ? reasons.join(", ") : "no report was written";
  return { ...blankRollout(task), index: 0, error: evidence.message, evidence: [evidence] };
}

function fromInstances(reports: JsonObject): SeenRollout[] {
  return Object.entries(reports).flatMap(([task, report]) => {
    if (!isObject(report)) return [];
    const resolved = booleanOf(report, "resolved") ?? false;
    const hasPatch = booleanOf(report, "patch_exists") ?? null;
    return [
      {
        ...judged(task, resolved, hasPatch === null ? null : !hasPatch),
        agent: textOf(report, "model_name_or_path") ?? null,
      },
    ];
  });
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}
