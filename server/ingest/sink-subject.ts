/** What a record is about: ids that the record names and ids that its envelope knows → refs in order, and the links between them. */
import type { DeliveryParams } from "@/server/domain/batch";
import type { Layer } from "@/server/domain/evidence";
import type { Link } from "@/server/domain/facts";
import { bucketRef, makeRef, type Ref, refKind } from "@/server/domain/refs";
import type { Seen, Who } from "./format";
import { rolloutIds, streamId } from "./natural-key";

/** Processes that write about sandboxes elsewhere: the pod that such a line came from is the writer's. */
const WRITERS: readonly Layer[] = ["harness", "server", "gateway"];
/** Evidence about machines: without a pod or sandbox of its own it is about the node. */
const MACHINE: readonly Layer[] = ["kubernetes", "kernel", "runtime"];
/** Written inside the sandbox's own pod, so that ids of the record and of its envelope are of one thing. */
const INSIDE: readonly Layer[] = ["execd", "agent"];

/** A template pod is called `<sandboxId>-0`; only ids that cannot be anything else are taken from a name. */
const POD_OF_SANDBOX = /(?:^|\/)([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})-0$/;

export interface Named {
  sandbox?: string;
  podUid?: string;
  podName?: string;
  podIp?: string;
  rollout?: { id: string; group: string };
  attempt?: string;
}

export interface Subject {
  refs: Ref[];
  links: Link[];
  /** Where it happened, as far as the record and its envelope say. */
  node: string | null;
}

export interface SubjectContext {
  params: DeliveryParams;
  run: string | null;
}

export function sandboxOfPodName(podName: string | undefined): string | undefined {
  return podName === undefined ? undefined : POD_OF_SANDBOX.exec(podName)?.[1];
}

/** `namespace/name` of the pod that an envelope names. */
export function podNameOf(who: Who): string | undefined {
  if (who.pod === undefined) return undefined;
  return who.namespace === undefined ? who.pod : `${who.namespace}/${who.pod}`;
}

export function subjectOf(seen: Seen, who: Who, at: number | null, context: SubjectContext): Subject {
  const { params } = context;
  const own = namedBy(seen, context.run);
  const hasOwn = Object.values(own).some((id) => id !== undefined);
  const layer = seen.evidence.layer;
  const named = hasOwn ? withEnvelope(own, layer, who) : ownerOf(seen, who);
  const refs = refsOf(named, context, who);
  const links = linksBetween(refs, at, layer);
  const machine = seen.node ?? (MACHINE.includes(layer) ? (who.node ?? params.node ?? undefined) : undefined);
  if (refs.length === 0 && machine !== undefined) refs.push(bucketRef("node", params.cluster, machine, at));
  if (refs.length === 0 || seen.alsoStream) {
    const id = streamId(params.cluster, who, { run: context.run, source: params.source });
    refs.push(bucketRef("stream", params.cluster, id.slice(params.cluster.length + 1), at));
  }
  // The machine of a harness or server is not the machine of the sandbox that it writes about.
  const elsewhere = hasOwn && !INSIDE.includes(layer) && !MACHINE.includes(layer);
  const node = seen.node ?? (elsewhere && who.sandbox === undefined ? null : (who.node ?? params.node));
  return { refs, links, node: node ?? null };
}

function namedBy(seen: Seen, run: string | null): Named {
  return {
    sandbox: seen.sandbox ?? sandboxOfPodName(seen.podName),
    podUid: seen.podUid,
    podName: seen.podName,
    podIp: seen.podIp,
    rollout: seen.rollout && rolloutIds({ run, ...seen.rollout }),
    attempt: seen.attempt,
  };
}

function withEnvelope(own: Named, layer: Layer, who: Who): Named {
  if (INSIDE.includes(layer)) return { ...fromEnvelope(who), ...defined(own) };
  // A harness that runs in a sandbox's pod (it carries the label) writes about that sandbox unless it names another.
  const anything = own.sandbox ?? own.podUid ?? own.podName ?? own.podIp;
  return anything === undefined && who.sandbox !== undefined ? { ...fromEnvelope(who), ...defined(own) } : own;
}

function defined(named: Named): Named {
  return Object.fromEntries(Object.entries(named).filter((entry) => entry[1] !== undefined));
}

/** The record names nothing: it is about the pod that it came from, unless that pod only writes about others. */
function ownerOf(seen: Seen, who: Who): Named {
  const layer = seen.evidence.layer;
  if (seen.node !== undefined && MACHINE.includes(layer)) return {};
  const named = fromEnvelope(who);
  return WRITERS.includes(layer) && named.sandbox === undefined ? {} : named;
}

export function fromEnvelope(who: Who): Named {
  const podName = podNameOf(who);
  return {
    sandbox: who.sandbox ?? sandboxOfPodName(podName),
    podUid: who.podUid,
    podName,
    podIp: who.podIp,
  };
}

function refsOf(named: Named, { params: { cluster, source }, run }: SubjectContext, who: Who): Ref[] {
  const refs: Ref[] = [];
  if (named.sandbox) refs.push(makeRef("sandbox", cluster, named.sandbox));
  if (named.podUid) refs.push(makeRef("pod", cluster, named.podUid));
  if (named.podName) refs.push(makeRef("podname", cluster, named.podName));
  if (named.podIp) refs.push(makeRef("ip", cluster, named.podIp));
  if (named.rollout) refs.push(makeRef("rollout", cluster, named.rollout.id));
  if (named.attempt) refs.push(attemptRef(cluster, run, who.source ?? source, named.attempt));
  return refs;
}

/** A harness's own names (`run=r-17`) repeat from file to file, so they count within their run and source only. */
export function attemptRef(cluster: string, run: string | null, source: string, attempt: string): Ref {
  return makeRef("attempt", cluster, `${run ?? "-"}/${source}/${attempt}`);
}

/** Links between the things that one record names: each is the same as, or a part of, the most specific of them. */
function linksBetween(refs: readonly Ref[], at: number | null, layer: Layer): Link[] {
  const how = WRITERS.includes(layer) ? "text" : "record";
  const [first, ...rest] = refs;
  if (first === undefined) return [];
  return rest.map((ref) => {
    // An IP is another pod's an hour later.
    if (refKind(ref) === "ip") return { from: ref, to: first, since: at, until: at, how: "ip" };
    // The name of an attempt is what its lines are filed under, so the rollout joins it there.
    const turned = refKind(first) === "rollout" && refKind(ref) === "attempt";
    return { from: turned ? first : ref, to: turned ? ref : first, since: null, until: null, how };
  });
}
