/** Events of both APIs (core/v1 and events.k8s.io/v1). One event is one row: seen again with a higher count it replaces itself. */
import type { Evidence } from "@/server/domain/evidence";
import { FACT_RANK } from "@/server/domain/facts";
import { makeRef } from "@/server/domain/refs";
import type { FormatContext, Seen, Sink } from "../format";
import { bounded } from "./bounded";
import { type JsonObject, numberOf, objectAt, textOf, typeWord } from "./json-fields";
import { fullName, type KubeObject, kubeTime, pathOf, sampleOf } from "./kube-objects";

/** Steps of a create that went well. */
const WENT_WELL = /^(Pulled|Started|Scheduled)$/;
/** Steps on the way that prove nothing. */
const ROUTINE =
  /^(Pulling|Created|SuccessfulCreate|SuccessfulDelete|SuccessfulAttachVolume|Starting|RegisteredNode|NodeHas(?:Sufficient\w+|NoDiskPressure)|NodeAllocatableEnforced|LeaderElection|ScalingReplicaSet|PoolAssigned|PodReleased|PodUpdated|AllocationSucceeded|PodRecycled)$/;

export function readEvent(kube: KubeObject, sink: Sink, context: FormatContext): void {
  const { object, payload, where } = kube;
  const reason = object.reason;
  if (typeof reason !== "string") {
    const message = `${pathOf(where, "reason")} must be a string, got ${typeWord(reason)}`;
    sink.reject(payload.line, reason === undefined ? "missing_field" : "invalid_type", message, sampleOf(object));
    return;
  }
  const about = objectAt(object, "involvedObject") ?? objectAt(object, "regarding") ?? {};
  putLinks(object, about, reason, sink, context);
  // A watch's DELETED is the event's own expiry.
  if (kube.deleted || ROUTINE.test(reason)) return;
  const host = hostOf(object);
  const seen: Seen = {
    evidence: evidenceOf(object, reason),
    at: lastTime(object),
    text: `${textOf(about, "kind") ?? "Object"} ${fullName(about)}: ${reason}: ${messageOf(object)}`,
    naturalKey: keyOf(object, about, reason),
    ...subjectOf(about),
  };
  if (host && seen.node === undefined) seen.node = host;
  sink.observe(payload, seen);
}

function evidenceOf(object: JsonObject, reason: string): Evidence {
  const evidence: Evidence = {
    layer: "kubernetes",
    kind: WENT_WELL.test(reason) ? "success" : "event",
    reason,
    message: bounded(messageOf(object)),
    level: object.type === "Warning" ? "warn" : "info",
  };
  const count = countOf(object);
  if (count !== undefined) evidence.count = count;
  if (evidence.kind === "success") evidence.phase = "create";
  return evidence;
}

function messageOf(object: JsonObject): string {
  return textOf(object, "message", "note") ?? "";
}

function countOf(object: JsonObject): number | undefined {
  return numberOf(objectAt(object, "series"), "count") ?? numberOf(object, "count", "deprecatedCount");
}

function lastTime(object: JsonObject): number | null {
  return (
    kubeTime(objectAt(object, "series")?.lastObservedTime) ??
    kubeTime(object.lastTimestamp) ??
    kubeTime(object.deprecatedLastTimestamp) ??
    firstTime(object)
  );
}

function firstTime(object: JsonObject): number | null {
  return (
    kubeTime(object.eventTime) ??
    kubeTime(object.firstTimestamp) ??
    kubeTime(object.deprecatedFirstTimestamp) ??
    kubeTime(objectAt(object, "metadata")?.creationTimestamp)
  );
}

/** The event's UID; without one what does not change when it is seen again. */
function keyOf(object: JsonObject, about: JsonObject, reason: string): string {
  const metadata = objectAt(object, "metadata") ?? {};
  const uid = textOf(metadata, "uid");
  return uid ? `event|${uid}` : `event|${fullName(metadata)}|${fullName(about)}|${reason}|${firstTime(object) ?? ""}`;
}

function subjectOf(about: JsonObject): Pick<Seen, "podUid" | "podName" | "node" | "sandbox"> {
  const name = textOf(about, "name");
  switch (about.kind) {
    case "Pod": {
      const uid = textOf(about, "uid");
      return uid ? { podUid: uid, podName: fullName(about) } : { podName: fullName(about) };
    }
    case "Node":
      return name ? { node: name } : {};
    case "BatchSandbox":
      return name ? { sandbox: name } : {};
    default:
      return {};
  }
}

/** The machine of a kubelet's event; the scheduler and controllers run elsewhere than what they write about. */
function hostOf(object: JsonObject): string | undefined {
  const source = objectAt(object, "source") ?? objectAt(object, "deprecatedSource");
  const component = textOf(source, "component") ?? textOf(object, "reportingComponent", "reportingController");
  const host = textOf(source, "host");
  if (host) return host;
  return component === "kubelet" ? textOf(object, "reportingInstance") : undefined;
}

function putLinks(object: JsonObject, about: JsonObject, reason: string, sink: Sink, { params }: FormatContext): void {
  const uid = textOf(about, "uid");
  if (about.kind !== "Pod" || !uid) return;
  const ref = makeRef("pod", params.cluster, uid);
  sink.link({
    from: makeRef("podname", params.cluster, fullName(about)),
    to: ref,
    since: null,
    until: null,
    how: "uid",
  });
  const assigned =
    reason === "Scheduled" ? /^Successfully assigned \S+ to (\S+)/.exec(messageOf(object))?.[1] : undefined;
  const node = hostOf(object) ?? assigned;
  const at = lastTime(object);
  if (node) sink.fact({ ref, name: "node", value: node, rank: FACT_RANK.event, at });
  sink.fact({ ref, name: "podName", value: fullName(about), rank: FACT_RANK.event, at });
}
