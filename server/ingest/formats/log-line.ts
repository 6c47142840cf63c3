/** The first line of a Python-style log record: time, level and logger in the orders that loggers print them. */
import type { Evidence } from "@/server/domain/evidence";
import { type Clock, type ReadTime, timeOf } from "./times";

export interface LogLine {
  time: ReadTime | null;
  level?: NonNullable<Evidence["level"]>;
  logger?: string;
  message: string;
}

const LEVELS: Record<string, NonNullable<Evidence["level"]>> = {
  TRACE: "debug",
  DEBUG: "debug",
  INFO: "info",
  NOTICE: "info",
  WARN: "warn",
  WARNING: "warn",
  ERROR: "error",
  ERR: "error",
  CRITICAL: "fatal",
  FATAL: "fatal",
  PANIC: "fatal",
};
const LEVEL = "TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL";
const CLOCK = "\\d\\d:\\d\\d:\\d\\d";
/** ISO-like; without a year by numbers or name; rich's, Apache's and C's layouts; epoch seconds with a fraction. */
const TIME = [
  `\\d{4}[-/]\\d\\d[-/]\\d\\d[T ]${CLOCK}(?:[.,]\\d+)?(?: ?(?:Z|UTC|[+-]\\d\\d:?\\d\\d)(?=[\\s\\]]))?`,
  `\\d\\d-\\d\\d ${CLOCK}(?:[.,]\\d+)?`,
  `[A-Z][a-z]{2} [ \\d]\\d ${CLOCK}`,
  `\\d\\d/\\d\\d/\\d\\d ${CLOCK}`,
  `\\d\\d/[A-Z][a-z]{2}/\\d{4}:${CLOCK}(?: [+-]\\d{4})?`,
  `[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d ${CLOCK} \\d{4}`,
  "\\d{10}\\.\\d{1,9}",
].join("|");
const TIMED = new RegExp(`^\\[?(${TIME})\\]?(?:\\s+|(?=\\[[\\w.-]+\\]\\[))(.*)$`, "s");
/** A bare word is a logger only when fields, an exception or nothing but a dotted name says so; else it is the message's first word. */
const BARE =
  "([a-z_][\\w-]*(?:\\.[\\w-]+)+|[a-z_][\\w-]*(?=\\s+(?:[\\w.]+=|(?:\\w+\\.)*[A-Z]\\w*(?:Error|Exception|Timeout)\\b)))";
const LEVEL_LOGGER = new RegExp(
  `^\\[?(${LEVEL})\\]?:?\\s+(?:(?:\\[([\\w.-]+)\\]|([A-Za-z_][\\w.-]*):|${BARE})\\s+)?(.*)$`,
  "s",
);
const DASHED = new RegExp(`^-\\s+([\\w.-]+)\\s+-\\s+(${LEVEL})\\s+-\\s+(.*)$`, "s");
const BRACKETED = new RegExp(`^\\[([\\w.-]+)\\]\\s+(${LEVEL}):?\\s+(.*)$`, "s");
const NAMED = new RegExp(`^(?:([a-z][\\w.-]*(?:\\[[^\\]]*\\])?):|${BARE})\\s+(.*)$`, "s");
/** Hydra's: `[time][logger][LEVEL] - message`. */
const BOXED = new RegExp(`^\\[([\\w.-]+)\\]\\[(${LEVEL})\\] - (.*)$`, "s");
/** vLLM's and Ray's: the level before the time, the place in the code after it. */
const LEVEL_FIRST = new RegExp(
  `^(${LEVEL}):?\\s+\\[?(${TIME})\\]?\\s+(?:\\[?([\\w./-]+\\.py):\\d+\\]?:? (?:-- )?)?(.*)$`,
  "s",
);
const BASIC = new RegExp(`^(${LEVEL}):([\\w.-]+):(.*)$`, "s");

const ANSI = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

export function stripAnsi(text: string): string {
  return text.includes("\u001b") ? text.replace(ANSI, "") : text;
}

/** Ray prints one of several alike, also of other workers and with other numbers in them: more happened than is written. */
export function isFolded(text: string): boolean {
  return text.includes("[repeated ") && /\[repeated \d+x across cluster\]/.test(text);
}

export function levelOf(word: string | undefined): Evidence["level"] {
  return word === undefined ? undefined : LEVELS[word.toUpperCase()];
}

/** Null when the line has neither a time nor a level at its head. */
export function parseLogLine(line: string, clock: Clock): LogLine | null {
  const basic = BASIC.exec(line);
  if (basic) return { time: null, ...named(basic[2], basic[1]), message: basic[3] ?? "" };
  const leveled = LEVEL_FIRST.exec(line);
  const before = leveled && timeOf(leveled[2], clock);
  if (before) return { time: before, ...named(leveled[3], leveled[1]), message: leveled[4] ?? "" };
  const timed = TIMED.exec(line);
  const time = timed && timeOf(timed[1]?.replace(/ {2}/g, " "), clock);
  if (!time) return null;
  return { time, ...parseRest(timed[2] ?? "") };
}

function parseRest(rest: string): Omit<LogLine, "time"> {
  const boxed = BOXED.exec(rest);
  if (boxed) return { ...named(boxed[1], boxed[2]), message: boxed[3] ?? "" };
  const dashed = DASHED.exec(rest);
  if (dashed) return { ...named(dashed[1], dashed[2]), message: dashed[3] ?? "" };
  const bracketed = BRACKETED.exec(rest);
  if (bracketed) return { ...named(bracketed[1], bracketed[2]), message: bracketed[3] ?? "" };
  const plain = LEVEL_LOGGER.exec(rest);
  if (plain) return { ...named(plain[2] ?? plain[3] ?? plain[4], plain[1]), message: plain[5] ?? "" };
  const loggerOnly = NAMED.exec(rest);
  if (loggerOnly) return { ...named(loggerOnly[1] ?? loggerOnly[2], undefined), message: loggerOnly[3] ?? "" };
  return { message: rest };
}

function named(logger: string | undefined, level: string | undefined): Pick<LogLine, "logger" | "level"> {
  const out: Pick<LogLine, "logger" | "level"> = {};
  if (logger) out.logger = logger;
  const read = levelOf(level);
  if (read) out.level = read;
  return out;
}
