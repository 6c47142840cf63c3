/**
 * Shared faults (taxonomy.md §3.6): five or more sandboxes of one server or node failing alike within a minute are one
 * incident with the sandboxes it hit; two to four stay separate. A pure function of the incidents of one scope.
 */
import { isInfra } from "@/server/classify/taxonomy";
import type { Incident } from "@/server/domain/incident";
import { makeRef, type Ref } from "@/server/domain/refs";
import type { Outcome } from "@/server/domain/taxonomy-words";
import { incidentId } from "./incident-id";

export const SHARED_FROM = 5;
/** They fail within this time of each other. */
export const SHARED_WINDOW_MS = 60_000;

/** Faults of a process that many sandboxes depend on: their scope is the writer, not the sandbox's node. */
const OF_SERVER = /^(proxy\.(pool_exhausted|internal_5xx)|gateway\.|control\.(api_error|api_throttled|rate_limited))/;

/** What several sandboxes may have in common: the server that spoke of them, else their node; null = nothing known. */
export function scopeOf(
  incident: Pick<Incident, "class" | "cluster" | "node" | "source" | "ref" | "outcome">,
): Ref | null {
  // Honest failures of commands come in crowds by themselves.
  if (!isInfra(incident.class) || incident.outcome === "teardown" || /^(node|server|shared):/.test(incident.ref))
    return null;
  if (OF_SERVER.test(incident.class)) return makeRef("server", incident.cluster, incident.source);
  return incident.node === null ? null : makeRef("node", incident.cluster, incident.node);
}

export interface SharedFaults {
  shared: Incident[];
  /** Id of a part → id of the shared incident. */
  partOf: Map<string, string>;
}

/** `incidents`: all of one scope around a time, each of one subject. */
export function shareFaults(scope: Ref, incidents: readonly Incident[]): SharedFaults {
  const result: SharedFaults = { shared: [], partOf: new Map() };
  const byClass = new Map<string, Incident[]>();
  for (const incident of incidents) {
    if (incident.firstAt === null || scopeOf(incident) !== scope) continue;
    const key = `${incident.class}\n${incident.origin}`;
    const list = byClass.get(key);
    if (list) list.push(incident);
    else byClass.set(key, [incident]);
  }
  for (const list of byClass.values()) {
    for (const crowd of crowds(list)) {
      const root = exhaustionBefore(crowd, incidents);
      const parts = root ? [root, ...crowd] : crowd;
      const one = merge(scope, parts);
      if (root) one.symptoms = [(crowd[0] as Incident).class];
      result.shared.push(one);
      for (const part of parts) result.partOf.set(part.id, one.id);
    }
  }
  return result;
}

/** A full pool stays full until the server restarts: 500s this long after its own word are its symptoms. */
const EXHAUSTED_MS = 600_000;

function exhaustionBefore(crowd: Incident[], incidents: readonly Incident[]): Incident | null {
  const first = crowd[0];
  if (first?.class !== "proxy.internal_5xx") return null;
  const said = incidents.filter(
    (one) => one.class === "proxy.pool_exhausted" && one.origin === first.origin && one.firstAt !== null,
  );
  const before = said.filter((one) => {
    const gap = (first.firstAt as number) - (one.firstAt as number);
    return gap >= -SHARED_WINDOW_MS && gap <= EXHAUSTED_MS;
  });
  return before.sort((a, b) => (b.firstAt as number) - (a.firstAt as number))[0] ?? null;
}

/** Maximal runs of incidents in which each lies in some minute with five distinct sandboxes. */
function crowds(incidents: Incident[]): Incident[][] {
  const sorted = [...incidents].sort((a, b) => (a.firstAt as number) - (b.firstAt as number) || (a.id < b.id ? -1 : 1));
  const found: Incident[][] = [];
  let taken = 0;
  for (let from = 0; from < sorted.length; from++) {
    const start = sorted[from]?.firstAt as number;
    let to = from;
    while (to < sorted.length && (sorted[to]?.firstAt as number) - start <= SHARED_WINDOW_MS) to++;
    if (new Set(sorted.slice(from, to).map((one) => one.ref)).size < SHARED_FROM) continue;
    const current = found.at(-1);
    if (current && from < taken) current.push(...sorted.slice(taken, to));
    else found.push(sorted.slice(from, to));
    taken = Math.max(taken, to);
  }
  return found;
}

const WORST: readonly Outcome[] = ["fatal", "unknown", "absorbed", "teardown"];

function merge(scope: Ref, parts: Incident[]): Incident {
  const first = parts[0] as Incident;
  const sum = (read: (incident: Incident) => number) => parts.reduce((total, part) => total + read(part), 0);
  const same = <T>(read: (incident: Incident) => T) => (new Set(parts.map(read)).size === 1 ? read(first) : null);
  const kind = scope.startsWith("server:") ? "server" : "node";
  return {
    ...first,
    id: incidentId(scope, first.keys[0] ?? first.id),
    ref: scope,
    subject: { kind, id: kind === "server" ? first.source : (first.node ?? "") },
    outcome: WORST.find((outcome) => parts.some((part) => part.outcome === outcome)) ?? "unknown",
    node: same((part) => part.node),
    run: same((part) => part.run),
    rollout: null,
    sandbox: null,
    pod: null,
    configKey: same((part) => part.configKey),
    hits: {
      sandboxes: new Set(parts.filter((part) => part.subject.kind !== "stream").map((part) => part.ref)).size,
      rollouts: new Set(parts.flatMap((part) => part.rollout ?? [])).size,
    },
    firstAt: Math.min(...parts.map((part) => part.firstAt as number)),
    lastAt: Math.max(...parts.map((part) => part.lastAt ?? (part.firstAt as number))),
    attempts: sum((part) => part.attempts),
    atLeast: parts.some((part) => part.atLeast),
    evidence: sum((part) => part.evidence),
    keys: parts.flatMap((part) => part.keys).slice(0, 50),
    symptoms: [...new Set(parts.flatMap((part) => part.symptoms))].sort(),
    partOf: null,
  };
}
