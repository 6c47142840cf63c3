/** Finds shared faults among what was just derived: the second, smaller step after the subjects themselves. */
import type { Incident } from "@/server/domain/incident";
import { BUCKET_MS, bucketRef, type Ref, splitBucket, splitRef } from "@/server/domain/refs";
import type { IncidentFilter, Store } from "@/server/domain/store";
import { scopeOf, shareFaults } from "./shared";

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

export async function settleShared(store: Store, refs: readonly Ref[]): Promise<void> {
  for (const ref of refs) await settleOne(store, ref);
}

async function settleOne(store: Store, ref: Ref): Promise<void> {
  const { scope, from, filter } = windowOf(ref);
  const around = await readAll(store, filter);
  const before = await store.incidentsOf([ref]);
  if (before.length === 0 && around.length < 2) return store.settle(nothing([ref]));
  const { shared, partOf } = shareFaults(scope, around);
  const mine = shared.filter((one) => (one.firstAt as number) >= from && (one.firstAt as number) < from + BUCKET_MS);
  const ids = new Set([...mine, ...before].map((one) => one.id));
  const wanted = (part: Incident) => {
    const id = partOf.get(part.id) ?? null;
    return id !== null && ids.has(id) ? id : part.partOf !== null && ids.has(part.partOf) ? null : part.partOf;
  };
  const changed = around.filter((part) => wanted(part) !== part.partOf);
  const subjects = [...new Set(changed.map((part) => part.ref))];
  const rewritten = (await store.incidentsOf(subjects)).map((part) => ({ ...part, partOf: wanted(part) }));
  await store.settle({
    ...nothing([ref]),
    subjects: [ref, ...subjects],
    incidents: [...mine.map((one) => ({ ...one, ref })), ...rewritten],
  });
}

function nothing(refs: Ref[]) {
  return { refs, subjects: [] as Ref[], incidents: [] as Incident[], groups: [], verdicts: [], queue: [] };
}

/** Reads past both ends of the bucket, so that a run of faults that begins in it is seen whole. */
function windowOf(ref: Ref): { scope: Ref; from: number; filter: IncidentFilter } {
  const { cluster, id } = splitRef(ref);
  const { id: named, bucket } = splitBucket(id);
  const slash = named.indexOf("/");
  const kind = named.slice(0, slash);
  const name = named.slice(slash + 1);
  const from = (bucket ?? 0) * BUCKET_MS;
  return {
    scope: `${kind}:${cluster}/${name}`,
    from,
    filter: {
      ...(kind === "server" ? { sources: [name] } : { nodes: [name] }),
      from: from - BUCKET_MS,
      // Those that are parts already must be seen again, or the next look would set them free.
      withParts: true,
      to: from + 2 * BUCKET_MS,
    },
  };
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
