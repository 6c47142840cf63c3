/** Incident ids that deriving again gave up, and the incidents that took their place. */
import type { Incident } from "@/server/domain/incident";

export interface ReplacedId {
  id: string;
  by: string;
}

/** Pure. An id is followed by the incident that shares most of its evidence, else by one of its subject and class; else by none. */
export function replacedIds(before: readonly Incident[], after: readonly Incident[]): ReplacedId[] {
  const kept = new Set(after.map((one) => one.id));
  const gone = before.filter((one) => !kept.has(one.id));
  return gone.flatMap((old) => {
    const by = successorOf(old, after);
    return by === null ? [] : [{ id: old.id, by }];
  });
}

function successorOf(old: Incident, after: readonly Incident[]): string | null {
  const keys = new Set(old.keys);
  const ranked = after
    .map((one) => ({ id: one.id, shared: one.keys.filter((key) => keys.has(key)).length, alike: isAlike(old, one) }))
    .filter(({ shared, alike }) => shared > 0 || alike)
    .sort((a, b) => b.shared - a.shared || Number(b.alike) - Number(a.alike) || (a.id < b.id ? -1 : 1));
  return ranked[0]?.id ?? null;
}

function isAlike(a: Incident, b: Incident): boolean {
  return a.ref === b.ref && a.class === b.class;
}
