/**
 * A Ref names one thing that evidence can be about, as `kind:cluster/id`.
 *
 * - `sandbox` its id · `pod` its UID · `podname` namespace/name · `ip` a pod IP (valid for a time only)
 * - `attempt` a harness's own name for one attempt (`run=r-17` in its lines), scoped by run and source
 * - `instance` a task as pods are labelled with it, `run/instance` (sanitised): joins rollouts without a sandbox id by time
 * - `rollout` the id of one rollout record · `group` all attempts at one (run, task, index)
 * - `node` a machine · `stream` a process's output without pod, cut in 10-minute buckets (`…@bucket`)
 * - `shared` what several sandboxes of one server or node may have met together, cut likewise
 */
export const REF_KINDS = [
  "sandbox",
  "pod",
  "podname",
  "ip",
  "attempt",
  "instance",
  "rollout",
  "group",
  "node",
  "server",
  "stream",
  "run",
  "shared",
] as const;
export type RefKind = (typeof REF_KINDS)[number];
export type Ref = string;

export const BUCKET_MS = 600_000;

export function makeRef(kind: RefKind, cluster: string, id: string): Ref {
  return `${kind}:${cluster}/${id}`;
}

/** Splits a ref; the cluster ends at the first slash, so ids may hold slashes. */
export function splitRef(ref: Ref): { kind: RefKind; cluster: string; id: string } {
  const colon = ref.indexOf(":");
  const slash = ref.indexOf("/", colon);
  return {
    kind: ref.slice(0, colon) as RefKind,
    cluster: ref.slice(colon + 1, slash),
    id: ref.slice(slash + 1),
  };
}

export function refKind(ref: Ref): RefKind {
  return ref.slice(0, ref.indexOf(":")) as RefKind;
}

/** A pod of a pool, its name and its IP stand for one sandbox after the other. */
export function isReused(ref: Ref): boolean {
  const kind = refKind(ref);
  return kind === "pod" || kind === "podname" || kind === "ip";
}

/** A node, server or stream subject is cut in 10-minute buckets so that it stays small. `at` in epoch ms, null = one bucket for all. */
export function bucketRef(kind: RefKind, cluster: string, id: string, at: number | null): Ref {
  return makeRef(kind, cluster, `${id}@${at === null ? "none" : Math.floor(at / BUCKET_MS)}`);
}

/** The id without its bucket, and the bucket number (null for records without a time). */
export function splitBucket(id: string): { id: string; bucket: number | null } {
  const sign = id.lastIndexOf("@");
  const bucket = id.slice(sign + 1);
  return { id: id.slice(0, sign), bucket: bucket === "none" ? null : Number(bucket) };
}

/** Node, server and stream refs made by `bucketRef`. */
export function isBucketed(ref: Ref): boolean {
  return /^(node|server|stream):.*@(\d+|none)$/.test(ref);
}

/** Are these the same thing, whatever the 10-minute bucket? */
export function sameThing(a: Ref, b: Ref): boolean {
  if (a === b) return true;
  return isBucketed(a) && isBucketed(b) && a.slice(0, a.lastIndexOf("@")) === b.slice(0, b.lastIndexOf("@"));
}

/** A subject as people name it: without its bucket, and a shared one as the node or server that was shared. */
export function subjectOfRef(ref: Ref): { kind: RefKind; id: string } {
  const { kind, id } = splitRef(ref);
  const bare = /@(\d+|none)$/.test(id) && (isBucketed(ref) || kind === "shared") ? splitBucket(id).id : id;
  if (kind !== "shared") return { kind, id: bare };
  const slash = bare.indexOf("/");
  return { kind: bare.slice(0, slash) as RefKind, id: bare.slice(slash + 1) };
}
