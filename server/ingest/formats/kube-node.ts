/** A node object: every condition is a fact, and one that says the node is sick is evidence. */
import { FACT_RANK } from "@/server/domain/facts";
import { makeRef } from "@/server/domain/refs";
import type { FormatContext, Sink } from "../format";
import { objectAt, objectsOf, textOf } from "./json-fields";
import { type KubeObject, kubeTime } from "./kube-objects";

export function readNode({ object, payload }: KubeObject, sink: Sink, context: FormatContext): void {
  const node = textOf(objectAt(object, "metadata"), "name") ?? "";
  const ref = makeRef("node", context.params.cluster, node);
  for (const condition of objectsOf(objectAt(object, "status"), "conditions")) {
    const type = textOf(condition, "type");
    const status = textOf(condition, "status");
    if (!type || !status) continue;
    const at = kubeTime(condition.lastTransitionTime);
    sink.fact({ ref, name: `condition.${type}`, value: status, rank: FACT_RANK.kubernetes, at });
    if (isHealthy(type, status)) continue;
    const message = [textOf(condition, "reason"), textOf(condition, "message")].filter(Boolean).join(": ");
    sink.observe(payload, {
      evidence: {
        layer: "kubernetes",
        kind: "condition",
        reason: type,
        finishedStatus: status,
        message,
        level: "warn",
      },
      at,
      node,
      text: `Node ${node}: ${type} is ${status}${message ? `: ${message}` : ""}`,
      naturalKey: `node-condition|${node}|${type}|${status}|${textOf(condition, "lastTransitionTime") ?? ""}`,
    });
  }
}

/** `Ready` must be true; every other condition names a trouble and must not be. */
function isHealthy(type: string, status: string): boolean {
  return type === "Ready" ? status === "True" : status !== "True";
}
