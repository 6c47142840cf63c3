/** SWE-agent's console: level with emoji and colour, text wrapped at the terminal's width with a margin, and a closing table that repeats it all. */
import type { Evidence } from "@/server/domain/evidence";
import type { Format, Payload, Seen, Sink } from "../format";
import { bounded } from "./bounded";
import { chainEvidence, exceptionInside, readTraceback } from "./exceptions";
import { levelOf, stripAnsi } from "./log-line";

const HEAD = /^\P{L}{1,6}?(DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL) {2,}(.*)$/su;
const TABLE = /^[┏┗┡└┌├━─┃│╭╰]/;
const MARGIN = /^ {8,}\S/;

export const richConsole: Format = {
  name: "rich-console",
  title: "Console of SWE-agent, wrapped and coloured",
  unit: "line",
  accepts: ({ text }) => HEAD.test(stripAnsi(text)) || TABLE.test(text),
  continues: (line, soFar) => MARGIN.test(line) && !TABLE.test(soFar ?? ""),
  read: readRecord,
};

function readRecord(payload: Payload, sink: Sink): void {
  const text = stripAnsi(payload.text);
  const [, word, rest = ""] = HEAD.exec(text) ?? [];
  const level = levelOf(word);
  // The table counts what the lines above it have said.
  if (TABLE.test(text) || level === undefined) {
    sink.routine(payload);
    return;
  }
  const { message, subject } = unwrap(rest);
  const evidence = evidenceOf(message, level, rest);
  if (!evidence) {
    sink.routine(payload);
    return;
  }
  const seen: Seen = { evidence, text };
  if (subject) seen.attempt = subject;
  sink.observe(payload, seen);
}

/** The sentence without its wrapping, and the instance that it names in front. */
function unwrap(rest: string): { message: string; subject?: string } {
  const flat = bounded(
    rest
      .split("\n")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .join(" ")
      .replace(/^\P{L}+(?=\p{L})/u, (lead) => lead.replace(/[^[]/g, ""))
      .trim(),
  );
  const deployed = /^\[rex-deploy-([^\]]+)\] (.*)$/s.exec(flat);
  if (deployed) return { message: deployed[2] ?? "", subject: deployed[1] };
  const named = /^(?:Failed on|Finished) ([^\s:]+)/.exec(flat)?.[1];
  return named ? { message: flat, subject: named } : { message: flat };
}

function evidenceOf(message: string, level: Evidence["level"], raw: string): Evidence | null {
  const ended = /^Finished \S+ exit_status=(\S+)/.exec(message)?.[1];
  if (ended) return { layer: "harness", kind: "finished", message, finishedStatus: ended };
  if (level === "info" || level === "debug") return null;
  const chain = readTraceback(raw);
  const alone = exceptionInside(message);
  const kind = level === "warn" ? "line" : "error";
  const evidence: Evidence = {
    layer: "harness",
    kind,
    level,
    message,
    ...chainEvidence(chain.length > 0 ? chain : alone ? [alone] : []),
  };
  if (/^Failed to (?:kill|stop|remove)\b/.test(message)) evidence.phase = "teardown";
  return evidence;
}
