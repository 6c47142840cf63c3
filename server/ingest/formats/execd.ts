/** The exec daemon's own lines: zap JSON with nothing but `level`, `ts` and `msg`, in the wording of old and new builds. */
import type { Format, FormatContext, Payload, Seen, Sink } from "../format";
import { bounded } from "./bounded";
import { isRoutineEscaped } from "./execd-bytes";
import { execdEvidence, isRoutineMessage } from "./execd-lines";
import { jsonFault, objectOf, textOf } from "./json-fields";
import { levelOf } from "./log-line";
import { timeOf } from "./times";

/** How nearly every line begins; decided without parsing, because most lines are routine. */
const HEAD = /^\{"level":"(?:debug|info|warn|error|dpanic|panic|fatal)","ts":"[^"]*","msg":"/;
/** After a text value; within one its quotes are escaped. Other programs of OpenSandbox begin alike and have more keys. */
const NEXT_KEY = '","';
const KEYS = new Set(["level", "ts", "msg"]);

export const execd: Format = {
  name: "execd",
  title: "Log lines of OpenSandbox's exec daemon (zap JSON)",
  unit: "line",
  inSandbox: true,
  accepts(payload) {
    const head = payload.json === undefined ? HEAD.exec(payload.text) : null;
    if (head && !payload.text.includes(NEXT_KEY, head[0].length)) return true;
    const object = objectOf(payload);
    if (!object || typeof object.level !== "string" || typeof object.msg !== "string") return false;
    return levelOf(object.level) !== undefined && Object.keys(object).every((key) => KEYS.has(key));
  },
  routineInJson: isRoutineEscaped,
  read: readLine,
};

function readLine(payload: Payload, sink: Sink, context: FormatContext): void {
  const head = payload.json === undefined ? HEAD.exec(payload.text) : null;
  if (head && isRoutineMessage(payload.text, head[0].length)) {
    sink.routine(payload);
    return;
  }
  const object = objectOf(payload);
  if (!object) {
    const { code, message } = jsonFault(payload.text);
    sink.reject(payload.line, code, message, payload.text);
    return;
  }
  const message = bounded(textOf(object, "msg") ?? "");
  const found = execdEvidence(message, levelOf(textOf(object, "level")));
  if (!found) {
    sink.routine(payload);
    return;
  }
  const time = timeOf(object.ts, { tz: context.params.tz, receivedAt: context.receivedAt });
  const seen: Seen = { evidence: { layer: "execd", ...found.evidence } };
  if (time) Object.assign(seen, { at: time.at, atAssumed: time.assumed });
  if (found.label) seen.label = found.label;
  // What the collector parsed says more than the text that it kept beside it.
  if (payload.json !== undefined && !payload.text.includes(message.slice(0, 40))) seen.text = JSON.stringify(object);
  sink.observe(payload, seen);
}
