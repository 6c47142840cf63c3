/** An incident, and a line of evidence, as the API shows them. Pure. */
import { classInfo } from "@/server/classify/taxonomy";
import type { RunDirectory } from "@/server/derive/run-directory";
import type { EvidenceLine, IncidentAnswer } from "@/server/domain/answers";
import type { Layer } from "@/server/domain/evidence";
import type { Observation } from "@/server/domain/facts";
import type { Incident } from "@/server/domain/incident";
import { subjectOfRef } from "@/server/domain/refs";
import { iso } from "./iso";

export function incidentAnswer(incident: Incident, directory: RunDirectory): IncidentAnswer {
  const info = classInfo(incident.class);
  return {
    id: incident.id,
    class: incident.class,
    title: info.title,
    family: incident.family,
    owner: info.owner,
    outcome: incident.outcome,
    confidence: incident.confidence,
    subject: subjectOfRef(incident.ref),
    node: incident.node,
    run: incident.run === null ? null : directory.ownerOf(incident.run),
    rollout: incident.rollout,
    sandbox: incident.sandbox,
    pod: incident.pod,
    origin: incident.origin,
    hits: incident.hits,
    firstAt: iso(incident.firstAt),
    lastAt: iso(incident.lastAt),
    attempts: incident.attempts,
    atLeast: incident.atLeast,
    evidence: incident.evidence,
    rule: incident.rule,
    subCause: incident.subCause,
    symptoms: incident.symptoms,
    summary: incident.summary,
  };
}

/** Records and objects are kept as what was read of them, not as lines. */
const NO_LINES: readonly Layer[] = ["record", "kubernetes"];

/** `places`: where observations stand, by their key. */
export function evidenceLine(
  observation: Observation,
  places?: ReadonlyMap<string, { batch: string; line: number; part?: number }>,
): EvidenceLine {
  return {
    at: iso(observation.at),
    layer: observation.evidence.layer,
    kind: observation.evidence.kind,
    source: observation.source,
    node: observation.node,
    text: observation.text,
    class: observation.class,
    rule: observation.rule,
    ...(places && {
      raw: NO_LINES.includes(observation.evidence.layer) ? null : (places.get(observation.key) ?? null),
    }),
  };
}

/** By time, then by line; those without a time last. */
export function byTime(a: Observation, b: Observation): number {
  const time = (a.at ?? Number.POSITIVE_INFINITY) - (b.at ?? Number.POSITIVE_INFINITY);
  return Number.isNaN(time) || time === 0 ? a.line - b.line : time;
}
