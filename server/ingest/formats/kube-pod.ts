/** A pod object → who it is (links), what it was given (facts), and how its containers ended (observations). */

import { FACT_RANK, type Link } from "@/server/domain/facts";
import { quantity } from "@/server/domain/quantity";
import { makeRef, type Ref } from "@/server/domain/refs";
import { labelsOf, runOf, sandboxOf } from "../envelopes/kubernetes-labels";
import type { FormatContext, Sink } from "../format";
import { instanceRef } from "../sink-who";
import { type JsonObject, objectAt, objectsOf, textOf } from "./json-fields";
import { endedContainers, podFault, podStatuses, startedContainer } from "./kube-containers";
import { fullName, greatestOf, type KubeObject, kubeTime, sampleOf } from "./kube-objects";

const POD_OF_SANDBOX = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})-0$/;

export function readPod(kube: KubeObject, sink: Sink, context: FormatContext): void {
  const { object, payload, where } = kube;
  const fault = podFault(object, where);
  if (fault) {
    sink.reject(payload.line, "invalid_type", fault, sampleOf(object));
    return;
  }
  const pod = describePod(object, context.params.cluster);
  for (const link of linksOf(pod, object, context)) sink.link(link);
  putFacts(pod, object, sink);
  for (const seen of [...endedContainers(object), ...podStatuses(object), ...startedContainer(object)]) {
    sink.observe(payload, { ...seen, podUid: pod.uid, podName: pod.name, sandbox: pod.sandbox, node: pod.node });
  }
}

interface PodIdentity {
  cluster: string;
  uid: string;
  /** `namespace/name`. */
  name: string;
  ref: Ref;
  sandbox?: string;
  sandboxHow: Link["how"];
  node?: string;
  run?: string;
  instance?: string;
  createdAt: number | null;
  endedAt: number | null;
}

function describePod(object: JsonObject, cluster: string): PodIdentity {
  const metadata = objectAt(object, "metadata") ?? {};
  const labels = labelsOf(metadata.labels);
  const name = fullName(metadata);
  const uid = textOf(metadata, "uid") ?? name;
  const labelled = sandboxOf(labels);
  const sandbox = labelled ?? POD_OF_SANDBOX.exec(textOf(metadata, "name") ?? "")?.[1];
  const pod: PodIdentity = {
    cluster,
    uid,
    name,
    ref: makeRef("pod", cluster, uid),
    sandboxHow: labelled ? "label" : "name",
    createdAt: kubeTime(metadata.creationTimestamp),
    endedAt: endOf(object),
  };
  const node = textOf(objectAt(object, "spec"), "nodeName");
  const run = runOf(labels);
  if (sandbox) pod.sandbox = sandbox;
  if (node) pod.node = node;
  if (run) pod.run = run;
  if (labels.instance_id) pod.instance = labels.instance_id;
  return pod;
}

/** When the pod stopped holding its address: its last container's end once it is over, or its deletion. */
function endOf(object: JsonObject): number | null {
  const status = objectAt(object, "status");
  const deleted = kubeTime(objectAt(object, "metadata")?.deletionTimestamp);
  if (!/^(Failed|Succeeded)$/.test(textOf(status, "phase") ?? "")) return deleted;
  const ends = objectsOf(status, "containerStatuses").map((one) =>
    kubeTime(objectAt(one, "state", "terminated")?.finishedAt),
  );
  return greatestOf([...ends, deleted]);
}

function linksOf(pod: PodIdentity, object: JsonObject, { params }: FormatContext): Link[] {
  const { cluster, ref, createdAt: since, endedAt: until } = pod;
  const links: Link[] = [{ from: makeRef("podname", cluster, pod.name), to: ref, since, until, how: "name" }];
  const ip = textOf(objectAt(object, "status"), "podIP");
  if (ip) links.push({ from: makeRef("ip", cluster, ip), to: ref, since, until, how: "ip" });
  if (!pod.sandbox) return links;
  const to = makeRef("sandbox", cluster, pod.sandbox);
  links.push({ from: ref, to, since: null, until: null, how: pod.sandboxHow });
  if (pod.instance) {
    const from = instanceRef(cluster, params.run ?? pod.run ?? null, pod.instance);
    links.push({ from, to, since, until, how: "label" });
  }
  return links;
}

function putFacts(pod: PodIdentity, object: JsonObject, sink: Sink): void {
  const status = objectAt(object, "status");
  const main = mainContainer(object);
  const limits = objectAt(main, "resources", "limits");
  const requests = objectAt(main, "resources", "requests");
  const facts: Record<string, string | number | null | undefined> = {
    node: pod.node,
    podName: pod.name,
    namespace: textOf(objectAt(object, "metadata"), "namespace"),
    image: textOf(main, "image"),
    memoryLimit: quantity(limits?.memory),
    memoryRequest: quantity(requests?.memory),
    cpuLimit: quantity(limits?.cpu),
    cpuRequest: quantity(requests?.cpu),
    phase: textOf(status, "phase"),
    createdAt: pod.createdAt,
    endedAt: pod.endedAt,
    run: pod.run,
    instance: pod.instance,
    pool: labelsOf(objectAt(object, "metadata", "labels"))["sandbox.opensandbox.io/pool-name"],
  };
  const at = greatestOf([pod.createdAt, pod.endedAt, ...transitions(status)]);
  for (const [name, value] of Object.entries(facts)) {
    if (value !== undefined && value !== null) sink.fact({ ref: pod.ref, name, value, rank: FACT_RANK.kubernetes, at });
  }
}

function transitions(status: JsonObject | undefined): (number | null)[] {
  const conditions = objectsOf(status, "conditions").map((one) => kubeTime(one.lastTransitionTime));
  const containers = objectsOf(status, "containerStatuses").map((one) =>
    kubeTime(objectAt(one, "state", "running")?.startedAt),
  );
  return [...conditions, ...containers];
}

/** The container named `sandbox`, else the pod's first. */
function mainContainer(object: JsonObject): JsonObject | undefined {
  const containers = objectsOf(objectAt(object, "spec"), "containers");
  return containers.find((one) => one.name === "sandbox") ?? containers[0];
}
