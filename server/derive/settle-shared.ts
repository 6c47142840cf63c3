/** Finds shared faults among what was just derived: the second, smaller step after the subjects themselves. */
import type { Incident } from "@/server/domain/incident";
import { BUCKET_MS, bucketRef, type Ref, splitBucket, splitRef } from "@/server/domain/refs";
import type { IncidentFilter, Store } from "@/server/domain/store";
import { FAMILIES } from "@/server/domain/taxonomy-words";
import { replacedIds } from "./replaced-ids";
import { scopeOf, shareFaults } from "./shared";

const HOUR_MS = 3_600_000;

/** The scopes in which an incident may be shared, as refs to queue: its 10-minute bucket and the one before, where a run of faults may begin. */
export function sharedRefsOf(incidents: readonly Incident[]): Ref[] {
  const refs = new Set<Ref>();
  for (const incident of incidents) {
    const scope = scopeOf(incident);
    if (scope === null || incident.firstAt === null) continue;
    const { kind, cluster, id } = splitRef(scope);
    for (const at of [incident.firstAt, incident.firstAt - BUCKET_MS])
      refs.add(bucketRef("shared", cluster, `${kind}/${id}`, at));
  }
  return [...refs];
}

/** All refs of a round, hour by hour: what is held in memory does not grow with the time that they span. */
export async function settleShared(store: Store, refs: readonly Ref[]): Promise<void> {
  const hours = new Map<number, Ref[]>();
  for (const ref of refs) {
    const hour = Math.floor(windowOf(ref).from / HOUR_MS);
    const list = hours.get(hour);
    if (list) list.push(ref);
    else hours.set(hour, [ref]);
  }
  for (const [, together] of [...hours].sort(([a], [b]) => a - b)) await settleHour(store, together);
}

/** One read a kind of scope, and one transaction. */
async function settleHour(store: Store, refs: readonly Ref[]): Promise<void> {
  const windows = refs.map(windowOf);
  const around = await readAround(store, windows);
  const before = await store.incidentsOf([...refs]);
  const partOf = new Map<string, string | null>();
  const ofScope = byScope(around);
  const shared = windows.flatMap((window) => shareOne(window, ofScope(window.scope), before, partOf));
  const subjects = [...new Set(around.filter((part) => partOf.has(part.id)).map((part) => part.ref))];
  const parts = (await store.incidentsOf(subjects)).map((part) =>
    partOf.has(part.id) ? { ...part, partOf: partOf.get(part.id) ?? null } : part,
  );
  await store.settle({
    refs: [...refs],
    subjects: [...refs, ...subjects],
    incidents: [...shared, ...parts],
    replaced: replacedIds(before, shared),
    groups: [],
    verdicts: [],
    queue: [],
  });
}

/** For a scope its own incidents, and those of others that may have to do with it: parts that moved away, and full pools. */
function byScope(around: readonly Incident[]): (scope: Ref) => Incident[] {
  const own = new Map<Ref | null, Incident[]>();
  const others: { incident: Incident; scope: Ref | null }[] = [];
  for (const incident of around) {
    const scope = scopeOf(incident);
    const list = own.get(scope);
    if (list) list.push(incident);
    else own.set(scope, [incident]);
    if (incident.partOf !== null || incident.class === "proxy.pool_exhausted") others.push({ incident, scope });
  }
  return (scope) => [
    ...(own.get(scope) ?? []),
    ...others.filter((one) => one.scope !== scope).map((one) => one.incident),
  ];
}

/** The shared incidents that begin in one window; notes in `partOf` every part whose sharing changes. */
function shareOne(
  window: Window,
  around: Incident[],
  before: Incident[],
  partOf: Map<string, string | null>,
): Incident[] {
  const seen = around.filter(
    (one) => one.firstAt !== null && one.firstAt >= window.read.from && one.firstAt < window.read.to,
  );
  const found = shareFaults(window.scope, seen);
  const mine = found.shared.filter(
    (one) => (one.firstAt as number) >= window.from && (one.firstAt as number) < window.from + BUCKET_MS,
  );
  const old = before.filter((one) => one.ref === window.ref);
  const ids = new Set([...mine, ...old].map((one) => one.id));
  for (const part of seen) {
    const now = found.partOf.get(part.id);
    const belongs = now !== undefined && ids.has(now) ? now : null;
    const was = partOf.get(part.id) ?? part.partOf;
    if (belongs !== null && belongs !== was) partOf.set(part.id, belongs);
    else if (belongs === null && was !== null && ids.has(was)) partOf.set(part.id, null);
  }
  return mine.map((one) => ({ ...one, ref: window.ref }));
}

interface Window {
  ref: Ref;
  scope: Ref;
  kind: string;
  name: string;
  /** Start of its bucket, epoch ms. */
  from: number;
  /** Past both ends of the bucket, so that a run of faults that begins in it is seen whole. */
  read: { from: number; to: number };
}

function windowOf(ref: Ref): Window {
  const { cluster, id } = splitRef(ref);
  const { id: named, bucket } = splitBucket(id);
  const slash = named.indexOf("/");
  const kind = named.slice(0, slash);
  const name = named.slice(slash + 1);
  const from = (bucket ?? 0) * BUCKET_MS;
  return {
    ref,
    scope: `${kind}:${cluster}/${name}`,
    kind,
    name,
    from,
    read: { from: from - BUCKET_MS, to: from + 2 * BUCKET_MS },
  };
}

/** Infrastructure incidents of all these nodes and servers over their whole span, each once. */
async function readAround(store: Store, windows: readonly Window[]): Promise<Incident[]> {
  const found = new Map<string, Incident>();
  for (const kind of ["server", "node"]) {
    const mine = windows.filter((window) => window.kind === kind);
    if (mine.length === 0) continue;
    const names = [...new Set(mine.map((window) => window.name))];
    const filter: IncidentFilter = {
      ...(kind === "server" ? { sources: names } : { nodes: names }),
      families: FAMILIES.filter((family) => family !== "none"),
      from: Math.min(...mine.map((window) => window.read.from)),
      to: Math.max(...mine.map((window) => window.read.to)),
      // Those that are parts already must be seen again, or the next look would set them free.
      withParts: true,
    };
    for (const incident of await readAll(store, filter)) found.set(incident.id, incident);
  }
  return [...found.values()];
}

async function readAll(store: Store, filter: IncidentFilter): Promise<Incident[]> {
  const items: Incident[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: Incident[]; next: string | null } = await store.listIncidents(filter, { limit: 1000, cursor });
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return items;
}
