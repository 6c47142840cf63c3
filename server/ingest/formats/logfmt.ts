/** logfmt lines: containerd and dockerd (`time="…" level=error msg="…" error="…"`) and Go's slog (`time=… level=ERROR msg="…" op=exec`). */
import type { Evidence } from "@/server/domain/evidence";
import type { Format, FormatContext, Payload, Seen, Sink } from "../format";
import { bounded } from "./bounded";
import { goDurationMs } from "./execd-lines";
import { type Fields, fieldsOf } from "./harness-fields";
import { idsIn, peerIn } from "./ids-in-text";
import { levelOf } from "./log-line";
import { phaseOf } from "./provider-lines";
import { parseTime } from "./times";

const LOOKS = /^(?:time|ts)="?\d{4}-\d\d-\d\dT[^\s"]+"? level="?\w+"? /;
const RUNTIME =
  /\b(?:RunPodSandbox|StopPodSandbox|CreateContainer|StartContainer|StopContainer|ExecSync|PullImage|TaskOOM|shim|containerd|OCI runtime|runc|overlayfs|snapshotter|CNI|cni)\b/;
const RUNTIME_SOURCE = /\b(?:containerd|dockerd|crio|cri-o)\b/;
const POD = /PodSandboxMetadata\{Name:([^,]+),Uid:([^,]+),Namespace:([^,]+),/;
const WENT_WELL = /\b(?:ok|succeeded|recovered)$/;

export const logfmt: Format = {
  name: "logfmt",
  title: "logfmt lines of container runtimes and Go programs",
  unit: "line",
  accepts: (payload) => LOOKS.test(payload.text),
  read: readLine,
};

function readLine(payload: Payload, sink: Sink, context: FormatContext): void {
  const fields = fieldsOf(bounded(payload.text));
  const level = levelOf(fields.get("level"));
  const said = unquoted(fields.get("msg") ?? "");
  const error = unquoted(fields.get("error") ?? fields.get("err") ?? "");
  const message = bounded(error === "" || said.includes(error) ? said : `${said}: ${error}`);
  const runtime = RUNTIME.test(message) || RUNTIME_SOURCE.test(payload.who.source ?? "");
  const kind = kindOf(level, said, runtime, fields);
  if (kind === null) {
    sink.routine(payload);
    return;
  }
  const evidence: Evidence = {
    layer: runtime ? "runtime" : "harness",
    kind,
    message,
    ...peerIn(message),
    ...callOf(fields),
  };
  if (level) evidence.level = level;
  const seen: Seen = { evidence, ...(runtime ? podOf(message) : { ...idsIn(message), ...namedOf(fields) }) };
  const time = parseTime(fields.get("time") ?? fields.get("ts") ?? "", {
    tz: context.params.tz,
    receivedAt: context.receivedAt,
  });
  if (time) Object.assign(seen, { at: time.at, atAssumed: time.assumed });
  sink.observe(payload, seen);
}

function kindOf(level: Evidence["level"], said: string, runtime: boolean, fields: Fields): Evidence["kind"] | null {
  if (level === "error" || level === "fatal") return "error";
  if (level === "warn" || /TaskOOM|OOMKilled/.test(said)) return "line";
  return !runtime && fields.has("op") && WENT_WELL.test(said) ? "success" : null;
}

/** What a Go client writes about one call. */
function callOf(fields: Fields): Partial<Evidence> {
  const found: Partial<Evidence> = {};
  const operation = fields.get("op");
  if (operation) {
    found.operation = operation;
    const phase = phaseOf(operation);
    if (phase) found.phase = phase;
  }
  const reused = fields.get("conn_reused");
  if (reused === "true" || reused === "false") found.reusedSocket = reused === "true";
  const idle = goDurationMs(fields.get("idle_before") ?? "");
  const elapsed = goDurationMs(fields.get("elapsed") ?? "");
  if (idle !== null) found.idleMs = idle;
  if (elapsed !== null) found.durationMs = elapsed;
  const bytes = fields.get("stream_bytes");
  if (bytes !== undefined && /^\d+$/.test(bytes)) found.bytesRead = Number(bytes);
  return found;
}

function namedOf(fields: Fields): Pick<Seen, "sandbox" | "attempt"> {
  const found: Pick<Seen, "sandbox" | "attempt"> = {};
  const sandbox = fields.get("sandbox") ?? fields.get("sandbox_id");
  const attempt = fields.get("run");
  if (sandbox) found.sandbox = sandbox;
  if (attempt) found.attempt = attempt;
  return found;
}

function podOf(message: string): Pick<Seen, "podName" | "podUid"> {
  const pod = POD.exec(message);
  if (pod?.[1] && pod[2]) return { podUid: pod[2], podName: `${pod[3]}/${pod[1]}` };
  return {};
}

function unquoted(text: string): string {
  return text.replace(/\\(["\\])/g, "$1");
}
