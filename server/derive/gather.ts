/** Gathers the case files of the subjects that a set of queued refs leads to, with a few bulk reads. */
import type { Fact, Link } from "@/server/domain/facts";
import { isBucketed, makeRef, type Ref, refKind, splitBucket, splitRef } from "@/server/domain/refs";
import { type RolloutRecord, rolloutRefs } from "@/server/domain/rollout";
import type { Span } from "@/server/domain/span";
import type { Store } from "@/server/domain/store";
import type { CaseFile } from "./case-file";
import { around, reach } from "./reach";
import { indexLinks, type LinkIndex, subjectOfRollout } from "./who-is-who";

export interface Gathered {
  /** One per ref that may have incidents of its own; a ref that leads on elsewhere has an empty file. */
  cases: Map<Ref, CaseFile>;
  /** Group ids whose verdicts must be derived. */
  groups: string[];
  attemptsOf(group: string): RolloutRecord[];
  /** Sandboxes a rollout used, in order of their ids' first link. */
  sandboxRefsOf(rollout: RolloutRecord): Ref[];
}

const MAX_STEPS = 5;

/** `labelsOf(run)`: all labels that are the same run as this one, the canonical first. */
export type LabelsOf = (run: string) => readonly string[];

export async function gatherCases(store: Store, queued: readonly Ref[], labelsOf: LabelsOf): Promise<Gathered> {
  const rollouts = new Rollouts();
  const links = new Links(labelsOf, await reach(store, queued));
  const own = queued.filter((ref) => refKind(ref) !== "group");
  const subjects = new Set<Ref>(own.flatMap(withNeighbours).map((ref) => links.canonical(ref)));
  await rollouts.addFrom(store, queued);
  // Up to the subjects, down to all that is part of them; sibling attempts found there lead up to their own sandboxes.
  for (let more = true; more; ) {
    for (const ref of rollouts.refs()) subjects.add(ref);
    for (const ref of await links.up(store, subjects)) subjects.add(ref);
    more = await rollouts.addFrom(store, [...(await links.down(store, subjects))]);
  }
  return buildCases(store, subjects, links, rollouts);
}

async function buildCases(store: Store, subjects: Set<Ref>, links: Links, rollouts: Rollouts): Promise<Gathered> {
  const members = new Map([...subjects].map((subject) => [subject, links.membersOf(subject)] as const));
  const all = [...new Set([...members.values()].flat())];
  await links.readFrom(store, all);
  const index = indexLinks(links.all());
  const observations = groupByRef(await store.observationsOf([...new Set(all.flatMap(withNeighbours))]), (o) => o.refs);
  const pods = podsByName(all, index);
  const facts = groupByRef(await store.factsOf([...all, ...pods.values()]), (fact: Fact) => [fact.ref]);
  const nodeOf = (name: Ref) => facts.get(pods.get(name) ?? "")?.filter((fact) => fact.name === "node") ?? [];
  const cases = new Map<Ref, CaseFile>();
  for (const [subject, refs] of members) {
    const groups = new Set(refs.flatMap((ref) => rollouts.groupOf(ref) ?? []));
    cases.set(subject, {
      subject,
      members: refs,
      observations: [...new Set(refs.flatMap((ref) => withNeighbours(ref).flatMap((r) => observations.get(r) ?? [])))],
      links: refs.flatMap((ref) => index.get(ref) ?? []),
      facts: refs.flatMap((ref) => [...(facts.get(ref) ?? []), ...nodeOf(ref)]),
      rollouts: [...groups].flatMap((group) => rollouts.attempts(group)),
    });
  }
  return {
    cases,
    groups: rollouts.groups(),
    attemptsOf: (group) => rollouts.attempts(group),
    sandboxRefsOf: (rollout) => sandboxRefs(rollout, index),
  };
}

/** The one pod that had this name. A pool's pod serves one sandbox after another: all that holds for each of them is its machine. */
function podsByName(refs: readonly Ref[], index: LinkIndex): Map<Ref, Ref> {
  const named = new Map<Ref, Ref>();
  for (const ref of refs) {
    if (refKind(ref) !== "podname") continue;
    const pods = new Set((index.get(ref) ?? []).map((link) => link.to).filter((to) => refKind(to) === "pod"));
    const [only] = pods;
    if (only && pods.size === 1) named.set(ref, only);
  }
  return named;
}

function sandboxRefs(rollout: RolloutRecord, index: LinkIndex): Ref[] {
  const ref = rolloutRefs(rollout).rollout;
  const direct = (index.get(ref) ?? []).map((link) => link.to).filter((to) => refKind(to) === "sandbox");
  if (direct.length > 0) return direct;
  const subject = subjectOfRollout(index, rollout);
  return refKind(subject) === "sandbox" ? [subject] : [];
}

/** A bucketed subject also reads the buckets beside it, so that a chain across the border is one. */
function withNeighbours(ref: Ref): Ref[] {
  if (!isBucketed(ref)) return [ref];
  const { kind, cluster, id } = splitRef(ref);
  const { id: bare, bucket } = splitBucket(id);
  if (bucket === null) return [ref];
  return [bucket - 1, bucket, bucket + 1].map((b) => `${kind}:${cluster}/${bare}@${b}`);
}

function groupByRef<T>(rows: readonly T[], refsOf: (row: T) => readonly Ref[]): Map<Ref, T[]> {
  const map = new Map<Ref, T[]>();
  for (const row of rows) {
    for (const ref of refsOf(row)) {
      const list = map.get(ref);
      if (list) list.push(row);
      else map.set(ref, [row]);
    }
  }
  return map;
}

/** Links read so far, both ways. */
class Links {
  private readonly to = new Map<Ref, Link[]>();
  private readonly from = new Map<Ref, Link[]>();
  private readonly askedFrom = new Set<Ref>();
  private readonly askedTo = new Set<Ref>();

  /** `reach`: from these refs only links that hold around these times lead on. */
  constructor(
    private readonly labelsOf: LabelsOf,
    private readonly reach: ReadonlyMap<Ref, Span>,
  ) {}

  /** Each worker of a run may label its pods with a label of its own: one task of one run is one instance. */
  canonical(ref: Ref): Ref {
    return this.sameInstance(ref)[0] ?? ref;
  }

  private sameInstance(ref: Ref): Ref[] {
    if (refKind(ref) !== "instance") return [ref];
    const { cluster, id } = splitRef(ref);
    const slash = id.indexOf("/");
    return this.labelsOf(id.slice(0, slash)).map((label) => makeRef("instance", cluster, `${label}${id.slice(slash)}`));
  }

  /** All refs that `start` leads to, itself included. */
  up(store: Store, start: ReadonlySet<Ref>): Promise<Set<Ref>> {
    return this.closure(start, async (refs) => {
      await this.readFrom(store, refs);
      return refs.flatMap((ref) => {
        const span = this.reach.get(ref);
        const links = this.from.get(ref) ?? [];
        return (span ? around(links, span) : links).map((link) => link.to);
      });
    });
  }

  /** All refs that lead to `start`, itself included. */
  down(store: Store, start: ReadonlySet<Ref>): Promise<Set<Ref>> {
    return this.closure(start, async (refs) => {
      const fresh = refs.filter((ref) => !this.askedTo.has(ref));
      for (const ref of fresh) this.askedTo.add(ref);
      if (fresh.length > 0)
        for (const link of await store.linksTo(fresh.flatMap((ref) => this.sameInstance(ref)))) this.add(link);
      return refs.flatMap((ref) => (this.to.get(ref) ?? []).map((link) => link.from));
    });
  }

  async readFrom(store: Store, refs: readonly Ref[]): Promise<void> {
    const fresh = refs.filter((ref) => !this.askedFrom.has(ref));
    for (const ref of fresh) this.askedFrom.add(ref);
    if (fresh.length > 0)
      for (const link of await store.linksFrom(fresh.flatMap((ref) => this.sameInstance(ref)))) this.add(link);
  }

  private async closure(start: ReadonlySet<Ref>, step: (refs: Ref[]) => Promise<Ref[]>): Promise<Set<Ref>> {
    const known = new Set(start);
    let frontier = [...start];
    for (let i = 0; i < MAX_STEPS && frontier.length > 0; i++) {
      frontier = [...new Set(await step(frontier))].filter((ref) => !known.has(ref));
      for (const ref of frontier) known.add(ref);
    }
    return known;
  }

  /** The subject and everything that leads to it. */
  membersOf(subject: Ref): Ref[] {
    const members = new Set([subject]);
    let frontier = [subject];
    for (let i = 0; i < MAX_STEPS && frontier.length > 0; i++) {
      frontier = frontier
        .flatMap((ref) => (this.to.get(ref) ?? []).map((link) => link.from))
        .filter((ref) => !members.has(ref));
      for (const ref of frontier) members.add(ref);
    }
    return [...members].sort();
  }

  all(): Link[] {
    return [...this.from.values()].flat();
  }

  private add(stored: Link): void {
    const link = { ...stored, from: this.canonical(stored.from), to: this.canonical(stored.to) };
    push(this.from, link.from, link);
    push(this.to, link.to, link);
  }
}

/** Distinct links only: both directions of reading bring the same one. */
function push(map: Map<Ref, Link[]>, ref: Ref, link: Link): void {
  const list = map.get(ref) ?? [];
  const same = list.some(
    (l) => l.from === link.from && l.to === link.to && l.since === link.since && l.until === link.until,
  );
  if (!same) list.push(link);
  map.set(ref, list);
}

/** Rollout records read so far, by group. */
class Rollouts {
  private readonly byGroup = new Map<string, RolloutRecord[]>();
  private readonly groupByRef = new Map<Ref, string>();

  /** Reads the groups that these refs name or belong to. True when any was new. */
  async addFrom(store: Store, refs: readonly Ref[]): Promise<boolean> {
    const ids = refs
      .filter((ref) => refKind(ref) === "rollout" && !this.groupByRef.has(ref))
      .map((ref) => splitRef(ref).id);
    const named = refs.filter((ref) => refKind(ref) === "group").map((ref) => splitRef(ref).id);
    const found = ids.length > 0 ? await store.rolloutsOfIds(ids) : [];
    const groups = [...new Set([...named, ...found.map((rollout) => rollout.group)])].filter(
      (group) => !this.byGroup.has(group),
    );
    if (groups.length === 0) return false;
    for (const group of groups) this.byGroup.set(group, []);
    for (const rollout of await store.rolloutsOfGroups(groups)) {
      this.byGroup.get(rollout.group)?.push(rollout);
      this.groupByRef.set(`rollout:${rollout.cluster}/${rollout.id}`, rollout.group);
    }
    return true;
  }

  groups(): string[] {
    return [...this.byGroup.keys()];
  }
  attempts(group: string): RolloutRecord[] {
    return this.byGroup.get(group) ?? [];
  }
  refs(): Ref[] {
    return [...this.groupByRef.keys()];
  }
  groupOf(ref: Ref): string | undefined {
    return this.groupByRef.get(ref);
  }
}
