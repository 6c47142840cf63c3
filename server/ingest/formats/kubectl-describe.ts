/** `kubectl describe` of pods and nodes, read as the objects that it tells of. Its events' ages are of an unknown moment, so they have no time. */
import { makeRef } from "@/server/domain/refs";
import type { Format, FormatContext, Payload, Sink } from "../format";
import { type DescribedSection, pairsAt, rowsAt, sectionAt, sectionsOf, valueAt } from "./describe-sections";
import type { JsonObject } from "./json-fields";
import { readEvent } from "./kube-event";
import { readNode } from "./kube-node";
import { fullName } from "./kube-objects";
import { readPod } from "./kube-pod";
import { parseTime } from "./times";

const BEGINS = /^Name: {2,}\S+[ \t]*(?:\n|$)/;
/** Everything below a name: a key of its own, or what is indented. */
const GOES_ON = /^(?!Name:)(?:\s+\S|[A-Z][\w /()-]*:(?:\s|$))/;
const LISTS = {
  Containers: "containerStatuses",
  "Init Containers": "initContainerStatuses",
  "Ephemeral Containers": "ephemeralContainerStatuses",
} as const;

export const kubectlDescribe: Format = {
  name: "kubectl-describe",
  title: "Pods and nodes as kubectl describe prints them",
  unit: "line",
  accepts: ({ text, who }) => who.container !== "sandbox" && BEGINS.test(text),
  continues: (text) => GOES_ON.test(text),
  read(payload, sink, context) {
    const sections = sectionsOf(payload.text.split("\n").filter((line) => line.trim() !== ""));
    if (sectionAt(sections, "Containers") && valueAt(sections, "Namespace"))
      describedPod(payload, sections, sink, context);
    else if (sectionAt(sections, "Roles") && sectionAt(sections, "Conditions"))
      describedNode(payload, sections, sink, context);
    else sink.routine(payload);
  },
};

type Sections = readonly DescribedSection[];

function describedPod(payload: Payload, sections: Sections, sink: Sink, context: FormatContext): void {
  const name = valueAt(sections, "Name");
  const namespace = valueAt(sections, "Namespace");
  const status = valueAt(sections, "Status") ?? "";
  const deleting = status.startsWith("Terminating");
  const metadata = {
    ...{ name, namespace, labels: pairsAt(sections, "Labels") },
    // Since when it is not said.
    ...(deleting ? { deletionTimestamp: "unknown" } : {}),
  };
  const containers = sectionsOf(sectionAt(sections, "Containers")?.body ?? []).map(({ key, body }) =>
    containerSpec(key, body),
  );
  const object: JsonObject = {
    metadata,
    spec: { nodeName: nodeOf(valueAt(sections, "Node")), containers },
    status: {
      ...(deleting ? {} : { phase: status }),
      reason: valueAt(sections, "Reason"),
      message: valueAt(sections, "Message"),
      conditions: rowsAt(sections, "Conditions").map(([type, is]) => ({ type, status: is })),
      ...Object.fromEntries(
        Object.entries(LISTS).map(([key, list]) => [list, statusesOf(sectionAt(sections, key)?.body ?? [])]),
      ),
    },
  };
  readPod({ object, payload, where: "", deleted: false }, sink, context);
  putAddress(sections, fullName(metadata), sink, context);
  readEvents("Pod", { name, namespace }, payload, sections, sink, context);
}

/** Its address is the pod's from its start on; without that nothing says whose it was before. */
function putAddress(sections: Sections, pod: string, sink: Sink, { params }: FormatContext): void {
  const ip = valueAt(sections, "IP");
  const since = parseTime(valueAt(sections, "Start Time") ?? "", { tz: null, receivedAt: 0 })?.at;
  if (!ip || since === undefined) return;
  const to = makeRef("pod", params.cluster, pod);
  sink.link({ from: makeRef("ip", params.cluster, ip), to, since, until: null, how: "ip" });
}

function describedNode(payload: Payload, sections: Sections, sink: Sink, context: FormatContext): void {
  const name = valueAt(sections, "Name");
  const conditions = rowsAt(sections, "Conditions").map(([type, status, , changed, reason, message]) => ({
    ...{ type, status, reason, message },
    lastTransitionTime: isoOf(changed),
  }));
  readNode(
    { object: { metadata: { name }, status: { conditions } }, payload, where: "", deleted: false },
    sink,
    context,
  );
  readEvents("Node", { name }, payload, sections, sink, context);
}

function readEvents(
  kind: string,
  about: JsonObject,
  payload: Payload,
  sections: Sections,
  sink: Sink,
  context: FormatContext,
) {
  for (const [type, reason, age = "", , ...message] of rowsAt(sections, "Events")) {
    const count = /\(x(\d+) over /.exec(age)?.[1];
    const object = {
      // Named as in the table of `kubectl get events`, so that an event that both tell is one.
      metadata: { ...about, name: `${kind.toLowerCase()}/${about.name}.${reason}` },
      involvedObject: { kind, ...about },
      ...{ type, reason, message: message.join("  ") },
      ...(count ? { count: Number(count) } : {}),
    };
    if (reason) readEvent({ object, payload, where: "", deleted: false }, sink, context);
  }
}

function containerSpec(name: string, body: readonly string[]): JsonObject {
  const told = sectionsOf(body);
  const amounts = (key: string) =>
    Object.fromEntries(sectionsOf(sectionAt(told, key)?.body ?? []).map(({ key: what, value }) => [what, value]));
  return {
    name,
    image: valueAt(told, "Image"),
    resources: { limits: amounts("Limits"), requests: amounts("Requests") },
  };
}

function statusesOf(body: readonly string[]): JsonObject[] {
  return sectionsOf(body).map((container) => {
    const told = sectionsOf(container.body);
    const restarts = wholeAt(told, "Restart Count");
    return {
      name: container.key,
      ...(restarts === undefined ? {} : { restartCount: restarts }),
      state: stateOf(sectionAt(told, "State")),
      lastState: stateOf(sectionAt(told, "Last State")),
    };
  });
}

function stateOf(section: DescribedSection | undefined): JsonObject {
  if (!section) return {};
  const told = sectionsOf(section.body);
  return {
    [section.value.toLowerCase()]: {
      reason: valueAt(told, "Reason"),
      message: valueAt(told, "Message"),
      exitCode: wholeAt(told, "Exit Code"),
      signal: wholeAt(told, "Signal"),
      startedAt: isoOf(valueAt(told, "Started")),
      finishedAt: isoOf(valueAt(told, "Finished")),
    },
  };
}

function wholeAt(sections: Sections, key: string): number | undefined {
  const value = valueAt(sections, key);
  return value !== undefined && /^-?\d{1,10}$/.test(value) ? Number(value) : undefined;
}

/** `node-7/10.0.0.5` → `node-7`. */
function nodeOf(value: string | undefined): string | undefined {
  return value?.split("/")[0];
}

/** As the API writes it, so that what both tell has one key. */
function isoOf(value: string | undefined): string | undefined {
  const at = parseTime(value ?? "", { tz: null, receivedAt: 0 })?.at;
  return at === undefined ? undefined : new Date(at).toISOString().replace(".000Z", "Z");
}
