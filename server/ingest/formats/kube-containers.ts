/** A pod's container states and conditions as typed evidence. One proven end per terminated record, whatever the restart count says. */
import type { Evidence } from "@/server/domain/evidence";
import type { Seen } from "../format";
import { bounded } from "./bounded";
import { isObject, type JsonObject, numberOf, objectAt, objectsOf, textOf, typeWord } from "./json-fields";
import { fullName, greatestOf, kubeTime, pathOf } from "./kube-objects";

const LISTS = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"] as const;
/** Waiting for these is how every pod begins. */
const NORMAL_WAITING = /^(ContainerCreating|PodInitializing)$/;

/** The first field of a wrong type, in words; null when the pod can be read. */
export function podFault(object: JsonObject, where: string): string | null {
  const status = object.status;
  if (status !== undefined && !isObject(status))
    return `${pathOf(where, "status")} must be an object, got ${typeWord(status)}`;
  for (const list of LISTS) {
    const statuses = objectsOf(isObject(status) ? status : undefined, list);
    for (const [i, container] of statuses.entries()) {
      const path = pathOf(where, `status.${list}[${i}]`);
      if (typeof container.name !== "string") return `${path}.name must be a string, got ${typeWord(container.name)}`;
      if (container.restartCount !== undefined && typeof container.restartCount !== "number") {
        return `${path}.restartCount must be a number, got ${typeWord(container.restartCount)}`;
      }
      for (const state of ["state", "lastState"]) {
        const code = objectAt(container, state, "terminated")?.exitCode;
        if (code !== undefined && typeof code !== "number") {
          return `${path}.${state}.terminated.exitCode must be a number, got ${typeWord(code)}`;
        }
      }
    }
  }
  return null;
}

interface Container {
  status: JsonObject;
  name: string;
  main: boolean;
}

function containersOf(object: JsonObject): Container[] {
  const status = objectAt(object, "status");
  const regular = objectsOf(status, "containerStatuses");
  const mainName =
    regular.find((one) => one.name === "sandbox")?.name ??
    objectsOf(objectAt(object, "spec"), "containers")[0]?.name ??
    regular[0]?.name;
  return LISTS.flatMap((list) =>
    objectsOf(status, list).map((one) => ({
      status: one,
      name: textOf(one, "name") ?? "",
      main: list === "containerStatuses" && one.name === mainName,
    })),
  );
}

export function endedContainers(object: JsonObject): Seen[] {
  const metadata = objectAt(object, "metadata") ?? {};
  return containersOf(object).flatMap((container) => {
    const restarts = numberOf(container.status, "restartCount") ?? 0;
    const now = objectAt(container.status, "state", "terminated");
    const before = objectAt(container.status, "lastState", "terminated");
    return [
      ...(before ? [endSeen(metadata, container, before, restarts - 1)] : []),
      ...(now ? [endSeen(metadata, container, now, restarts)] : []),
    ];
  });
}

/** `life` numbers the container's runs, so that an end keeps its key when it becomes the last state. */
function endSeen(metadata: JsonObject, { status, name, main }: Container, end: JsonObject, life: number): Seen {
  const evidence: Evidence = { layer: "kubernetes", kind: "container_end", container: name, mainContainer: main };
  const exitCode = numberOf(end, "exitCode");
  const reason = textOf(end, "reason");
  const message = textOf(end, "message");
  const signal = numberOf(end, "signal");
  if (exitCode !== undefined) evidence.exitCode = exitCode;
  if (reason) evidence.reason = reason;
  if (message) evidence.message = bounded(message);
  if (signal) evidence.signal = String(signal);
  evidence.restartCount = numberOf(status, "restartCount") ?? 0;
  if (metadata.deletionTimestamp) evidence.deleting = true;
  const how = [reason, exitCode === undefined ? undefined : `exit code ${exitCode}`].filter(Boolean).join(", ");
  return {
    evidence,
    at: kubeTime(end.finishedAt),
    text: `Container ${name} of pod ${fullName(metadata)} ended: ${how}${message ? `: ${message}` : ""}`,
    naturalKey: `pod-end|${textOf(metadata, "uid") ?? fullName(metadata)}|${name}|${textOf(end, "finishedAt") ?? ""}|${life}`,
  };
}

/** The pod's own reason (Evicted …), containers that cannot start, and conditions that say why it is not placed or is being removed. */
export function podStatuses(object: JsonObject): Seen[] {
  const metadata = objectAt(object, "metadata") ?? {};
  const status = objectAt(object, "status");
  const key = textOf(metadata, "uid") ?? fullName(metadata);
  const seen: Seen[] = [];
  const reason = textOf(status, "reason");
  if (reason) {
    seen.push(statusSeen(key, fullName(metadata), { reason, message: textOf(status, "message") }, removedAt(object)));
  }
  for (const { status: container, name, main } of containersOf(object)) {
    const waiting = objectAt(container, "state", "waiting");
    const why = textOf(waiting, "reason");
    if (!why || NORMAL_WAITING.test(why)) continue;
    const told = { reason: why, message: textOf(waiting, "message"), container: name, mainContainer: main };
    seen.push(statusSeen(key, fullName(metadata), told, null));
  }
  return [...seen, ...conditionsSeen(key, fullName(metadata), status)];
}

function statusSeen(key: string, name: string, told: Partial<Evidence>, at: number | null): Seen {
  const evidence: Evidence = { layer: "kubernetes", kind: "pod_status", ...told };
  if (evidence.message === undefined) delete evidence.message;
  const about = told.container ? `Container ${told.container} of pod ${name}` : `Pod ${name}`;
  return {
    evidence,
    at,
    text: `${about}: ${told.reason}${told.message ? `: ${told.message}` : ""}`,
    naturalKey: `pod-status|${key}|${told.container ?? ""}|${told.reason}`,
  };
}

/** An evicted pod says no time of its own: that of its disruption condition or of its containers' ends. */
function removedAt(object: JsonObject): number | null {
  const status = objectAt(object, "status");
  const disrupted = objectsOf(status, "conditions").find((one) => one.type === "DisruptionTarget");
  const ends = containersOf(object).map((one) => kubeTime(objectAt(one.status, "state", "terminated")?.finishedAt));
  return kubeTime(disrupted?.lastTransitionTime) ?? greatestOf(ends);
}

function conditionsSeen(key: string, name: string, status: JsonObject | undefined): Seen[] {
  return objectsOf(status, "conditions").flatMap((condition) => {
    const { type, status: is } = condition;
    const bad = (type === "PodScheduled" && is === "False") || (type === "DisruptionTarget" && is === "True");
    if (!bad || typeof type !== "string" || typeof is !== "string") return [];
    const message = [textOf(condition, "reason"), textOf(condition, "message")].filter(Boolean).join(": ");
    const evidence: Evidence = { layer: "kubernetes", kind: "condition", reason: type, finishedStatus: is };
    if (message) evidence.message = message;
    return [
      {
        evidence,
        at: kubeTime(condition.lastTransitionTime),
        text: `Pod ${name}: ${type} is ${is}${message ? `: ${message}` : ""}`,
        naturalKey: `pod-condition|${key}|${type}|${textOf(condition, "lastTransitionTime") ?? ""}`,
      },
    ];
  });
}

/** A running main container: the sandbox came up. */
export function startedContainer(object: JsonObject): Seen[] {
  const metadata = objectAt(object, "metadata") ?? {};
  const main = containersOf(object).find((one) => one.main);
  const startedAt = textOf(objectAt(main?.status, "state", "running"), "startedAt");
  const at = kubeTime(startedAt);
  if (!main || at === null) return [];
  return [
    {
      evidence: { layer: "kubernetes", kind: "lifecycle", phase: "create", reason: "Started", container: main.name },
      at,
      text: `Container ${main.name} of pod ${fullName(metadata)} runs`,
      naturalKey: `pod-start|${textOf(metadata, "uid") ?? fullName(metadata)}|${main.name}|${startedAt}`,
    },
  ];
}
