/** Compares what ingest made of a field case with its line in expected.json, whose words `$comment` there explains. */
import { isInfra } from "@/server/classify/taxonomy";
import type { Reject } from "@/server/domain/facts";
import type { Incident } from "@/server/domain/incident";
import type { RolloutRow } from "@/server/domain/rollout";

type Wanted = number | [number, number] | "any" | Partial<Record<Incident["outcome"], number | "any">>;

export interface Expectation {
  infra?: Record<string, Wanted>;
  notInfra?: string[];
  may?: string[];
  teardown?: string[];
  notFatal?: string[];
  absorbed?: Record<string, number>;
  fatal?: number;
  unknown?: number;
  nodes?: Record<string, number>;
  nodesOf?: { class: string; nodes: Record<string, number> };
  shared?: Record<string, number>;
  atLeast?: boolean;
  atLeastAttempts?: Record<string, number>;
  rollouts?: number;
  infraFailed?: number;
  rejects?: number;
}

export interface Outcome {
  incidents: Incident[];
  rollouts: RolloutRow[];
  rejects: Reject[];
}

/** One sentence per difference; none when the case is as expected. */
export function differences(want: Expectation, got: Outcome): string[] {
  const found: string[] = [];
  const counted = got.incidents.filter((i) => i.partOf === null);
  const infra = counted.filter((i) => isInfra(i.class));
  for (const [classes, wanted] of Object.entries(want.infra ?? {})) checkCount(classes, wanted, infra, found);
  checkUnlisted(want, infra, found);
  for (const name of want.notInfra ?? []) {
    const seen = counted.some((i) => i.class === name) || got.rollouts.some((r) => r.class === name);
    if (!seen) found.push(`${name} does not appear`);
    if (isInfra(name)) found.push(`${name} counts as infra`);
  }
  for (const [classes, n] of Object.entries(want.absorbed ?? {})) {
    same(
      `${classes} absorbed`,
      n,
      infra.filter((i) => oneOf(classes, i.class) && i.outcome === "absorbed").length,
      found,
    );
  }
  if (want.fatal !== undefined) same("fatal", want.fatal, infra.filter((i) => i.outcome === "fatal").length, found);
  const unknown = counted.filter((i) => i.class === "unknown").length;
  const unknownAllowed = want.unknown ?? ((want.may ?? []).includes("unknown") ? Number.POSITIVE_INFINITY : 0);
  if (unknown > unknownAllowed)
    found.push(`${unknown} unknown, at most ${unknownAllowed}: ${summaries(counted, "unknown")}`);
  if (want.nodes) sameNodes("infra", want.nodes, infra, found);
  if (want.nodesOf) {
    const { class: classes, nodes } = want.nodesOf;
    sameNodes(
      classes,
      nodes,
      infra.filter((i) => oneOf(classes, i.class)),
      found,
    );
  }
  for (const [classes, n] of Object.entries(want.shared ?? {})) {
    const hits = infra.filter((i) => oneOf(classes, i.class)).map((i) => i.hits.sandboxes);
    if (!hits.includes(n)) found.push(`${classes} shared by ${n}: ${hits.join()}`);
  }
  if (want.atLeast && !infra.some((i) => i.atLeast)) found.push("no lower bound is marked");
  for (const [name, n] of Object.entries(want.atLeastAttempts ?? {})) {
    const total = infra.filter((i) => i.class === name).reduce((sum, i) => sum + i.attempts, 0);
    if (total < n) found.push(`${name} attempts ${total}, at least ${n}`);
  }
  if (want.rollouts !== undefined) same("rollouts", want.rollouts, got.rollouts.length, found);
  if (want.infraFailed !== undefined) {
    same("infraFailed", want.infraFailed, got.rollouts.filter((r) => r.verdict === "infra_failed").length, found);
  }
  if (got.rejects.length < (want.rejects ?? 0)) found.push(`rejects ${got.rejects.length}, at least ${want.rejects}`);
  return found;
}

function checkCount(classes: string, wanted: Wanted, infra: Incident[], found: string[]): void {
  const mine = infra.filter((i) => oneOf(classes, i.class));
  if (wanted === "any") return;
  if (typeof wanted === "number") {
    same(classes, wanted, mine.length, found);
    return;
  }
  if (Array.isArray(wanted)) {
    if (mine.length < wanted[0] || mine.length > wanted[1])
      found.push(`${classes}: ${mine.length}, not ${wanted.join("–")}`);
    return;
  }
  // `a|b` may share a class with another line of the case, so outcomes are lower bounds for a list and exact for one class.
  for (const [outcome, n] of Object.entries(wanted)) {
    const has = mine.filter((i) => i.outcome === outcome).length;
    if (n === "any" ? has < 1 : classes.includes("|") ? has < n : has !== n) {
      found.push(`${classes} ${outcome}: ${has}, not ${n} (${mine.map((i) => i.outcome).join()})`);
    }
  }
}

function checkUnlisted(want: Expectation, infra: Incident[], found: string[]): void {
  const listed = Object.keys(want.infra ?? {});
  for (const incident of infra) {
    const name = incident.class;
    if (listed.some((classes) => oneOf(classes, name)) || (want.may ?? []).includes(name)) continue;
    if ((want.teardown ?? []).includes(name) && incident.outcome === "teardown") continue;
    if ((want.notFatal ?? []).includes(name) && incident.outcome !== "fatal") continue;
    found.push(`${name} (${incident.outcome}) is not expected: ${incident.summary.slice(0, 100)}`);
  }
}

function sameNodes(what: string, want: Record<string, number>, incidents: Incident[], found: string[]): void {
  const got: Record<string, number> = {};
  for (const i of incidents) if (i.node !== null) got[i.node] = (got[i.node] ?? 0) + 1;
  if (JSON.stringify(sorted(got)) !== JSON.stringify(sorted(want))) {
    found.push(`nodes of ${what}: ${JSON.stringify(got)}, not ${JSON.stringify(want)}`);
  }
}

function sorted(record: Record<string, number>): [string, number][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

function oneOf(classes: string, name: string): boolean {
  return classes.split("|").includes(name);
}

function same(what: string, want: number, got: number, found: string[]): void {
  if (want !== got) found.push(`${what}: ${got}, not ${want}`);
}

function summaries(incidents: Incident[], name: string): string {
  return incidents
    .filter((i) => i.class === name)
    .map((i) => i.summary.slice(0, 60))
    .join(" / ");
}
