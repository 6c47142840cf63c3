/** Questions to the run's classes, and links to their rows. */
import type { ClassId } from "@/server/domain/taxonomy-words";
import type { ClassFacts, EvidenceLink, FindingInput, Severity } from "./finding";

export interface Sum {
  incidents: number;
  fatal: number;
  absorbed: number;
  rollouts: number;
}

export function factsOf(input: FindingInput, ids: readonly ClassId[]): ClassFacts[] {
  return input.classes.filter((one) => ids.includes(one.class));
}

export function sumOf(facts: readonly ClassFacts[]): Sum {
  const sum = { incidents: 0, fatal: 0, absorbed: 0, rollouts: 0 };
  for (const one of facts) {
    sum.incidents += one.incidents;
    sum.fatal += one.fatal;
    sum.absorbed += one.absorbed;
    sum.rollouts += one.rollouts;
  }
  return sum;
}

/** The lost rollouts of these classes, and their incidents. */
export function classLinks(input: FindingInput, ids: readonly ClassId[]): EvidenceLink[] {
  const facts = factsOf(input, ids);
  const { incidents, rollouts } = sumOf(facts);
  const found = facts.map((one) => one.class).join(",");
  const links: EvidenceLink[] = [];
  if (rollouts > 0) {
    const query = { class: found, verdict: "infra_failed" };
    links.push({ label: `${rollouts} lost`, path: runPath(input, "/rollouts"), query });
  }
  if (incidents > 0)
    links.push({ label: `${incidents} incidents`, path: "/incidents", query: { run: input.run, class: found } });
  return links;
}

/** `/runs/{run}` and what follows. */
export function runPath(input: Pick<FindingInput, "run">, rest = ""): string {
  return `/runs/${encodeURIComponent(input.run)}${rest}`;
}

/** Where the settings are. */
export function configLink(input: Pick<FindingInput, "run">): EvidenceLink {
  return { label: "config of the run", path: runPath(input), query: {} };
}

/** `7 rollouts were lost and 6 operations got over it by a retry`; null when neither. */
export function toll({ rollouts, absorbed }: Pick<Sum, "rollouts" | "absorbed">): string | null {
  const lost = rollouts === 1 ? "1 rollout was lost" : `${rollouts} rollouts were lost`;
  const saved = absorbed === 1 ? "1 operation got over it by a retry" : `${absorbed} operations got over it by a retry`;
  if (rollouts > 0 && absorbed > 0) return `${lost} and ${saved}`;
  return rollouts > 0 ? lost : absorbed > 0 ? saved : null;
}

/** From this share of the finished rollouts on a cause is major. */
const MAJOR_SHARE = 0.01;

export function severityOf(lost: number, { finished }: Pick<FindingInput, "finished">): Severity {
  return lost > 0 && lost >= finished * MAJOR_SHARE ? "major" : "minor";
}

/** Starts a sentence. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
