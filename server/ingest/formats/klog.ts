/** klog lines of kubelets, controllers and clients: `E0101 00:00:03.184037 2858 kubelet.go:1765] "msg" key="value"`. No year, UTC unless told. */
import type { Evidence } from "@/server/domain/evidence";
import type { Format, FormatContext, Payload, Seen, Sink } from "../format";
import { bounded } from "./bounded";
import { fieldsOf } from "./harness-fields";
import { peerIn } from "./ids-in-text";
import { parseTime } from "./times";

const LINE = /^([IWEF])(\d{4} \d\d:\d\d:\d\d\.\d+)\s+(\d+) ([\w./-]+:\d+)\] (.*)$/s;
const LEVELS = { I: "info", W: "warn", E: "error", F: "fatal" } as const;
/** Progress that tells of pods or machines all the same. */
const NOTABLE =
  /[Nn]ot ?[Rr]eady|NodeReady|ready status of pods|unresponsive|PLEG|[Tt]aint|evict|[Ee]viction manager|[Pp]robe failed|throttling|OOM|preempt|[Ss]hutdown|Event occurred/;
/** kubelet's client repeats the runtime's error without saying which pod it is about; the runtime and the pod worker say it too. */
const ECHO = /^(?:remote_runtime|log)\.go:/;

export const klog: Format = {
  name: "klog",
  title: "klog lines of kubelets and other Kubernetes components",
  unit: "line",
  accepts: (payload) => LINE.test(payload.text),
  read: readLine,
};

function readLine(payload: Payload, sink: Sink, context: FormatContext): void {
  const [, letter = "I", time = "", , where = "", rest = ""] = LINE.exec(payload.text) ?? [];
  const level = LEVELS[letter as keyof typeof LEVELS];
  const message = bounded(rest);
  const fields = fieldsOf(message);
  const subject = subjectOf(message, fields);
  const echo = ECHO.test(where) && subject.podName === undefined;
  if (echo || ((level === "info" || level === "warn") && !NOTABLE.test(message))) {
    sink.routine(payload);
    return;
  }
  const seen: Seen = { evidence: evidenceOf(message, level, where, fields), ...subject };
  // Inside an envelope that knows the time, its time has the year.
  const at = payload.at === null ? parseTime(time, { tz: context.params.tz, receivedAt: context.receivedAt }) : null;
  if (at) Object.assign(seen, { at: at.at, atAssumed: true });
  sink.observe(payload, seen);
}

function evidenceOf(message: string, level: Evidence["level"], logger: string, fields: Map<string, string>): Evidence {
  const reason = fields.get("reason");
  if (/^"Event occurred"/.test(message) && reason) {
    const text = fields.get("message") ?? message;
    return {
      layer: "kubernetes",
      kind: "event",
      reason,
      message: text,
      level: fields.get("type") === "Warning" ? "warn" : "info",
    };
  }
  const kind = level === "error" || level === "fatal" ? "error" : "line";
  return { layer: "runtime", kind, message, level, logger, ...peerIn(message) };
}

/** `pod="ns/name"`, an event's object, or a node named in the sentence. */
function subjectOf(message: string, fields: Map<string, string>): Pick<Seen, "podName" | "podUid" | "node"> {
  const object = fields.get("object");
  if (object && fields.get("kind") === "Node") return { node: object };
  const podName = fields.get("pod") ?? (fields.get("kind") === "Pod" ? object : undefined);
  if (podName?.includes("/")) {
    const podUid = fields.get("podUID");
    return podUid ? { podName, podUid } : { podName };
  }
  const node = /\bfor node "?([\w.-]+)"?$/.exec(message)?.[1] ?? fields.get("node");
  return node ? { node } : {};
}
