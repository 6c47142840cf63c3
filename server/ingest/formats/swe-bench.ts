/** SWE-bench: a run's final report (lists of instance ids by outcome) and one instance's `report.json`. */
import type { Format, FormatContext, Payload, SeenRollout, Sink } from "../format";
import { blankRollout, HONEST_ZERO } from "./blank-rollout";
import { booleanOf, isObject, type JsonObject, objectAt, objectOf, textOf, typeWord } from "./json-fields";
import { errorWords, recordError, rejectRecord } from "./record-error";

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
  archive: "none",
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
    rejectRecord(payload, sink, fault);
    return;
  }
  const rollouts = isRunReport(report) ? fromRun(report, sink) : fromInstances(report);
  for (const rollout of rollouts) sink.rollout(payload, rollout);
}

function faultOf(report: JsonObject): string | null {
  const bad = LISTS.find((name) => report[name] !== undefined && !Array.isArray(report[name]));
  return bad ? `${bad} must be an array, got ${typeWord(report[bad])}` : null;
}

/**
 * Instances that did not finish are planned and have no record. The report's own judge of failures only looked at logs afterwards: its
 * word stands beside the result as evidence, and what it calls ambiguous stays an honest result.
 */
function fromRun(report: JsonObject, sink: Sink): SeenRollout[] {
  const ids = (name: (typeof LISTS)[number]) => textsOf(report[name]);
  const reasons = objectAt(report, "failure_reasons") ?? {};
  const infra = new Set(ids("infra_failure_ids"));
  const errors = new Set(ids("error_ids"));
  for (const task of ids("incomplete_ids")) sink.planned({ task, index: 0 });
  const empty = new Set(ids("empty_patch_ids"));
  const unresolved = [...new Set([...ids("unresolved_ids"), ...empty])].filter((task) => !errors.has(task));
  const told = (task: string) => reasonOf(textsOf(reasons[task]), infra.has(task));
  return [
    ...ids("resolved_ids").map((task) => judged(task, true, null)),
    ...unresolved.map((task) => withReason(judged(task, false, empty.has(task)), told(task))),
    ...[...new Set([...errors, ...infra])]
      .filter((task) => !unresolved.includes(task))
      .map((task) => errored(task, told(task))),
  ];
}

function reasonOf(reasons: string[], infra: boolean): string | null {
  const reason = reasons[0] ?? "infra_failure";
  return infra || reason === "tests_timed_out" ? reason : null;
}

function withReason(rollout: SeenRollout, reason: string | null): SeenRollout {
  if (reason === null) return rollout;
  const evidence = recordError(`SWE-bench judged: ${reason}`, undefined, { phase: "verify", producerClass: reason });
  return { ...rollout, error: errorWords([evidence]), evidence: [evidence] };
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

/** No report was written: the verifier did not come to an end. */
function errored(task: string, reason: string | null): SeenRollout {
  if (reason !== null) return withReason({ ...blankRollout(task), index: 0 }, reason);
  const evidence = recordError("no report was written", undefined, { phase: "verify", producerClass: "error" });
  return { ...blankRollout(task), index: 0, error: errorWords([evidence]), evidence: [evidence] };
}

function fromInstances(reports: JsonObject): SeenRollout[] {
  return Object.entries(reports).flatMap(([task, report]) => {
    if (!isObject(report) || task === "") return [];
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
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one): one is string => typeof one === "string" && one !== "");
}
