/**
 * Who is who: which subject a ref stood for at a time. Links lead towards the sandbox (ip → pod → sandbox,
 * attempt → sandbox, rollout → instance → sandbox). Pool pods and IPs are reused, so a link may hold for an interval only;
 * what stays ambiguous is attributed to nothing further.
 */
import type { Link } from "@/server/domain/facts";
import { type Ref, refKind } from "@/server/domain/refs";
import { type RolloutRecord, rolloutRefs } from "@/server/domain/rollout";

/** Evidence about a thing may arrive this long after it ended (kubelet events, retries) and still be about it. */
export const INTERVAL_SLACK_MS = 60_000;
const MAX_STEPS = 5;

export type LinkIndex = Map<Ref, Link[]>;

/** Links by their `from`, each (from, to) once with the widest interval that any source gave. */
export function indexLinks(links: readonly Link[]): LinkIndex {
  const index: LinkIndex = new Map();
  for (const link of links) {
    const list = index.get(link.from);
    if (!list) {
      index.set(link.from, [link]);
      continue;
    }
    const at = list.findIndex((other) => other.to === link.to);
    const known = list[at];
    if (known) list[at] = widen(known, link);
    else list.push(link);
  }
  for (const list of index.values()) list.sort((a, b) => (a.to < b.to ? -1 : 1));
  joinByName(index);
  return index;
}

/** One record knows a pod's name and UID, another its name and sandbox: the pod is that sandbox's, while the name was. */
function joinByName(index: LinkIndex): void {
  for (const [from, list] of [...index]) {
    if (refKind(from) !== "podname") continue;
    const sandboxes = list.filter((link) => refKind(link.to) === "sandbox");
    const pods = list.filter((link) => refKind(link.to) === "pod" && !index.has(link.to));
    if (sandboxes.length === 0) continue;
    for (const { to } of pods)
      index.set(
        to,
        sandboxes.map((link) => ({ ...link, from: to })),
      );
  }
}

/** A source that says when beats one that does not; of two that say, the wider interval holds. */
function widen(a: Link, b: Link): Link {
  return { ...a, since: pick(a.since, b.since, Math.min), until: pick(a.until, b.until, Math.max) };
}

function pick(a: number | null, b: number | null, choose: (a: number, b: number) => number): number | null {
  if (a === null) return b;
  if (b === null) return a;
  return choose(a, b);
}

/** The one target of `ref` at `at` (epoch ms, null = unknown time), or null when there is none or several fit. */
export function targetAt(index: LinkIndex, ref: Ref, at: number | null): Ref | null {
  const all = index.get(ref) ?? [];
  const links = all.length <= 1 ? all : all.filter((link) => !leadsToOther(index, link, all, at));
  if (links.length <= 1)
    return links[0] && (at === null || covers(links[0], at, INTERVAL_SLACK_MS)) ? links[0].to : null;
  if (at === null) return null;
  const exact = links.filter((link) => covers(link, at, 0));
  if (exact.length === 1 && exact[0]) return exact[0].to;
  if (exact.length > 1) return refKind(ref) === "instance" ? nearestEnd(exact, at) : latestStart(exact);
  const near = links.filter((link) => covers(link, at, INTERVAL_SLACK_MS));
  return near.length === 1 && near[0] ? near[0].to : null;
}

/** A pod that belongs to a sandbox, beside that sandbox, is no second answer. */
function leadsToOther(index: LinkIndex, link: Link, all: readonly Link[], at: number | null): boolean {
  if (refKind(link.to) !== "pod") return false;
  const next = targetAt(index, link.to, at);
  return next !== null && all.some((other) => other.to === next);
}

function covers(link: Link, at: number, slack: number): boolean {
  return (link.since === null || at >= link.since - slack) && (link.until === null || at <= link.until + slack);
}

/** Of several that hold, the one that began last, if all say when they began and no two began together. */
function latestStart(links: Link[]): Ref | null {
  if (links.some((link) => link.since === null)) return null;
  const sorted = [...links].sort((a, b) => (b.since ?? 0) - (a.since ?? 0));
  const [first, second] = sorted;
  return first && second && first.since !== second.since ? first.to : null;
}

/** Repeats of a task run side by side: the sandbox that ended with the rollout is its own, if one clearly did. */
function nearestEnd(links: Link[], at: number): Ref | null {
  const sorted = links
    .map((link) => ({ to: link.to, gap: link.until === null ? Number.POSITIVE_INFINITY : Math.abs(link.until - at) }))
    .sort((a, b) => a.gap - b.gap);
  const [first, second] = sorted;
  const clear = first && second && first.gap <= INTERVAL_SLACK_MS && second.gap >= 2 * first.gap + 5_000;
  return clear ? first.to : null;
}

/** The subject a rollout resolves to: by its end, else by its start (grading may outlive the sandbox). */
export function subjectOfRollout(index: LinkIndex, rollout: RolloutRecord): Ref {
  const ref = rolloutRefs(rollout).rollout;
  for (const at of [rollout.endedAt, rollout.startedAt]) {
    const subject = subjectAt(index, ref, at);
    if (refKind(subject) === "sandbox") return subject;
  }
  return subjectAt(index, ref, rollout.endedAt ?? rollout.startedAt);
}

/** Follows links from `ref` as they stood at `at` to the subject it belonged to (itself when nothing leads on). */
export function subjectAt(index: LinkIndex, ref: Ref, at: number | null): Ref {
  let current = ref;
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = targetAt(index, current, at);
    if (next === null || next === current) return current;
    current = next;
  }
  return current;
}
