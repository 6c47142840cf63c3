/** Python exceptions as logs and records print them: one line, a `repr`, or a chained traceback. Names lose their module. */
import type { Evidence } from "@/server/domain/evidence";

export interface SeenException {
  type: string;
  message: string;
}

const NAME = "(?:[A-Za-z_]\\w*\\.)*([A-Z]\\w*)";
const TELLING =
  "(?<![\\w])(?:[A-Za-z_]\\w{0,100}\\.){0,12}([A-Z]\\w{0,100}?(?:Error|Exception|Timeout|TimeoutExpired|Disconnected|Exceeded|Violation|Killed|NotFound|Interrupt|Refused))";
const RAISED = new RegExp(`^${NAME}(?:: ?([\\s\\S]*))?$`);
const ALONE = new RegExp(`^${TELLING}(?:: ?([\\s\\S]*))?$`);
const INSIDE = new RegExp(`\\b${TELLING}: ?([\\s\\S]*)$`);
const REPR = new RegExp(`${TELLING}\\((?:'((?:[^'\\\\]|\\\\.)*)'|"((?:[^"\\\\]|\\\\.)*)")?`);

export const TRACEBACK = "Traceback (most recent call last)";
/** What a Ray task raised, as its caller meets it, perhaps in colour; the task's own frames and its error follow. */
const RAY_TASK = /^(?:[A-Za-z_]\w*\.){0,12}RayTaskError\((\w{1,100})\): .{0,8}ray::/m;
const CONTEXT = /^(?:handle|future|task|protocol|transport|connector|connections|client_connection): [<[]/;
const JOINER = /^(The above exception was the direct cause|During handling of the above exception)/;

/** A line that is an exception and nothing else: `httpx.ReadError: …`. */
export function exceptionLine(line: string): SeenException | null {
  return fromMatch(ALONE.exec(line.trim()));
}

/** An exception named somewhere in a sentence: `… SandboxBackendUnreachableError: …`. */
export function exceptionInside(text: string): SeenException | null {
  return fromMatch(INSIDE.exec(text));
}

/** An exception's `repr`, with its escapes undone once: `TimeoutError('…')`. */
export function exceptionRepr(text: string): SeenException | null {
  const match = REPR.exec(text);
  if (!match?.[1]) return null;
  return { type: match[1], message: unescapeOnce(match[2] ?? match[3] ?? "") };
}

/** The exceptions of a (chained) traceback, innermost first; empty when the text holds none. */
export function readTraceback(text: string): SeenException[] {
  if (!beginsTraceback(text)) return [];
  const found: SeenException[] = [];
  let remote: SeenException | null = null;
  let inside = false;
  let margin = 0;
  for (const line of text.split("\n")) {
    const task = RAY_TASK.exec(line.trim());
    if (task?.[1]) {
      inside = true;
      margin = line.search(/\S/);
      remote = { type: task[1], message: "" };
      continue;
    }
    if (line.includes(TRACEBACK)) {
      inside = true;
      margin = line.search(/\S/);
      continue;
    }
    if (!inside || line.trim() === "" || line.search(/\S/) > margin) continue;
    const raised = fromMatch(RAISED.exec(line.trim()));
    if (raised) found.push(raised);
    inside = false;
  }
  return found.length === 0 && remote ? [remote] : found;
}

/** Does a traceback begin anywhere in this text? */
export function beginsTraceback(text: string): boolean {
  return text.includes(TRACEBACK) || RAY_TASK.test(text);
}

/** `errorType` and `errorChain` of a chain, innermost first. */
export function chainEvidence(chain: readonly SeenException[]): Pick<Evidence, "errorType" | "errorChain"> {
  const first = chain[0];
  if (!first) return {};
  return { errorType: first.type, errorChain: [...new Set(chain.map((one) => one.type))] };
}

/** `Type: message`, or the type alone when it said nothing. */
export function exceptionText({ type, message }: SeenException): string {
  return message.trim() === "" ? type : `${type}: ${message.trim()}`;
}

/** Does this line carry on the traceback that `soFar` holds? Without `soFar` the line alone decides. */
export function continuesTraceback(line: string, soFar?: string): boolean {
  if (/^\s+\S/.test(line)) return true;
  if (JOINER.test(line)) return true;
  if (soFar === undefined)
    return line === "" || line.startsWith(TRACEBACK) || /^[a-z_]\w*\.[\w.]*[A-Z]\w*(:|$)/.test(line);
  // asyncio names what its callback belonged to before the traceback.
  if (CONTEXT.test(line)) return true;
  const last = lastLine(soFar);
  if (line.trim() === "") return beginsTraceback(soFar);
  if (line.startsWith(TRACEBACK)) return !isRaised(soFar, last);
  const isOpen = /^\s/.test(last) || last.startsWith(TRACEBACK) || RAY_TASK.test(last);
  return isOpen && beginsTraceback(soFar) && (RAISED.test(line) || RAY_TASK.test(line));
}

/** The traceback so far ends with what was raised: another one is another record. */
function isRaised(soFar: string, last: string): boolean {
  return beginsTraceback(soFar) && !JOINER.test(last) && !/^\s/.test(last);
}

function lastLine(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.slice(trimmed.lastIndexOf("\n") + 1);
}

function fromMatch(match: RegExpExecArray | null): SeenException | null {
  return match?.[1] ? { type: match[1], message: match[2] ?? "" } : null;
}

function unescapeOnce(text: string): string {
  return text.replace(/\\(['"\\n])/g, (_, char: string) => (char === "n" ? "\n" : char));
}
