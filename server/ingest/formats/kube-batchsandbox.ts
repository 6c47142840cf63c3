/** A BatchSandbox object: its name is the sandbox's id, and its annotations say which pool pods and addresses it holds. */
import type { Evidence } from "@/server/domain/evidence";
import { FACT_RANK } from "@/server/domain/facts";
import { makeRef } from "@/server/domain/refs";
import { labelsOf, runOf } from "../envelopes/kubernetes-labels";
import type { FormatContext, Sink } from "../format";
import { isObject, objectAt, objectsOf, textOf } from "./json-fields";
import { type KubeObject, kubeTime } from "./kube-objects";

/** Conditions that say that the sandbox failed or waits. */
const TELLING = /^(PodFailed|PauseFailed|ResumeFailed|PoolAllocationPending)$/;

export function readBatchSandbox({ object, payload }: KubeObject, sink: Sink, context: FormatContext): void {
  const { cluster } = context.params;
  const metadata = objectAt(object, "metadata") ?? {};
  const sandbox = textOf(metadata, "name") ?? "";
  const to = makeRef("sandbox", cluster, sandbox);
  const since = kubeTime(metadata.creationTimestamp);
  const until = kubeTime(metadata.deletionTimestamp);
  const annotations = labelsOf(metadata.annotations);
  for (const name of podsOf(annotations["sandbox.opensandbox.io/alloc-status"])) {
    const full = `${textOf(metadata, "namespace") ?? "default"}/${name}`;
    sink.link({ from: makeRef("podname", cluster, full), to, since, until, how: "annotation" });
  }
  for (const ip of textsOf(annotations["sandbox.opensandbox.io/endpoints"])) {
    sink.link({ from: makeRef("ip", cluster, ip), to, since, until, how: "annotation" });
  }
  const run = runOf(labelsOf(metadata.labels));
  if (since !== null) sink.fact({ ref: to, name: "createdAt", value: since, rank: FACT_RANK.kubernetes, at: since });
  if (run) sink.fact({ ref: to, name: "run", value: run, rank: FACT_RANK.kubernetes, at: since });
  for (const condition of objectsOf(objectAt(object, "status"), "conditions")) {
    const type = textOf(condition, "type") ?? "";
    if (!TELLING.test(type) || condition.status !== "True") continue;
    const message = [textOf(condition, "reason"), textOf(condition, "message")].filter(Boolean).join(": ");
    const evidence: Evidence = {
      layer: "kubernetes",
      kind: "condition",
      reason: type,
      finishedStatus: "True",
      message,
    };
    sink.observe(payload, {
      evidence,
      at: kubeTime(condition.lastTransitionTime),
      sandbox,
      text: `BatchSandbox ${sandbox}: ${type}: ${message}`,
      naturalKey: `batchsandbox|${sandbox}|${type}|${textOf(condition, "lastTransitionTime") ?? ""}`,
    });
  }
}

function podsOf(annotation: string | undefined): string[] {
  const value = parsed(annotation);
  return isObject(value) && Array.isArray(value.pods) ? value.pods.filter(isText) : [];
}

function textsOf(annotation: string | undefined): string[] {
  const value = parsed(annotation);
  return Array.isArray(value) ? value.filter(isText) : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function parsed(annotation: string | undefined): unknown {
  if (annotation === undefined) return undefined;
  try {
    return JSON.parse(annotation);
  } catch {
    return undefined;
  }
}
