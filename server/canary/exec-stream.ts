/** The exec daemon's event stream: bare JSON lines (an optional `data:` is accepted), one terminal event. */

export interface ExecOutcome {
  /** `complete`, `error` (a non-zero exit or a fault), or null: the stream ended without a terminal event. */
  terminal: "complete" | "error" | null;
  exitCode: number | null;
  errorName: string | null;
  errorValue: string | null;
  stdout: string;
  stderr: string;
  commandId: string | null;
  /** Lines that were no event. */
  unreadable: number;
}

const MAX_OUTPUT = 64 * 1024;

export class ExecStream {
  readonly outcome: ExecOutcome = {
    terminal: null,
    exitCode: null,
    errorName: null,
    errorValue: null,
    stdout: "",
    stderr: "",
    commandId: null,
    unreadable: 0,
  };

  /** Takes one line; true at the terminal event. */
  readonly take = (line: string): boolean => {
    const text = line.replace(/^data:\s*/, "").trim();
    if (text === "") return false;
    const event = parse(text);
    if (!event) {
      this.outcome.unreadable += 1;
      return false;
    }
    return this.apply(event);
  };

  private apply(event: Record<string, unknown>): boolean {
    const text = typeof event.text === "string" ? event.text : "";
    if (event.type === "init") this.outcome.commandId = text || null;
    if (event.type === "stdout") this.outcome.stdout = (this.outcome.stdout + text).slice(0, MAX_OUTPUT);
    if (event.type === "stderr") this.outcome.stderr = (this.outcome.stderr + text).slice(0, MAX_OUTPUT);
    if (event.type === "execution_complete") {
      this.outcome.terminal ??= "complete";
      this.outcome.exitCode ??= 0;
      return true;
    }
    if (event.type !== "error") return false;
    const error = isRecord(event.error) ? event.error : {};
    this.outcome.terminal ??= "error";
    this.outcome.errorName = typeof error.ename === "string" ? error.ename : null;
    this.outcome.errorValue = error.evalue === undefined ? null : String(error.evalue);
    const code = Number(this.outcome.errorValue);
    this.outcome.exitCode = this.outcome.errorValue !== null && Number.isInteger(code) ? code : null;
    return true;
  }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && typeof value.type === "string" ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
