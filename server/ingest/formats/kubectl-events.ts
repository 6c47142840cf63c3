/** The table that `kubectl get events` prints, also with `-A` and `-o wide`. Its ages are of an unknown moment, so its events have no time. */
import type { Format } from "../format";
import type { JsonObject } from "./json-fields";
import { readEvent } from "./kube-event";

const AGE = "(?:(?:\\d+[smhdy])+(?: \\(x(\\d+) over [^)]{1,20}\\))?|<unknown>)";
const ROW = new RegExp(
  `^(?:([a-z0-9][a-z0-9-]*)\\s+)?${AGE}\\s+(Normal|Warning)\\s+([A-Z]\\w+)\\s+([a-z]+)/([\\w.-]+)\\s+(?:spec\\.\\S+\\s+)?(?:([a-z][\\w-]*), ([\\w.-]+)\\s{2,})?(.*)$`,
);
const HEADER = /^(?:NAMESPACE\s+)?LAST SEEN\s+TYPE\s+REASON\s+OBJECT\s/;
const KINDS: Record<string, string> = { pod: "Pod", node: "Node", batchsandbox: "BatchSandbox", pool: "Pool" };

export const kubectlEvents: Format = {
  name: "kubectl-events",
  title: "The table of kubectl get events",
  unit: "line",
  accepts: ({ text, who }) => who.container !== "sandbox" && (HEADER.test(text) || ROW.test(text)),
  read(payload, sink, context) {
    const object = eventOf(payload.text);
    if (object) readEvent({ object, payload, where: "", deleted: false }, sink, context);
    else sink.routine(payload);
  },
};

/** Null for the header. */
function eventOf(text: string): JsonObject | null {
  const match = ROW.exec(text);
  if (!match) return null;
  const [, namespace, count, type, reason, kind = "", name, component, host, message = ""] = match;
  return {
    metadata: { name: `${kind}/${name}.${reason}`, ...(namespace ? { namespace } : {}) },
    involvedObject: { kind: KINDS[kind] ?? kind, name, ...(namespace ? { namespace } : {}) },
    reason,
    type,
    message: message.trim(),
    ...(count ? { count: Number(count) } : {}),
    ...(host ? { source: { component, host } } : {}),
  };
}
