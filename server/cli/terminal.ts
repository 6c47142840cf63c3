import type { Readable, Writable } from "node:stream";

/** Where a command reads from and writes to: the process's own streams, or a test's. */
export interface Terminal {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean };
  env: NodeJS.ProcessEnv;
}

export const EXIT = { ok: 0, someFailed: 1, cannot: 2 } as const;

/** Ends a command with a sentence for the user. Exit 2: wrong usage, unreachable, or refused. */
export class CommandError extends Error {
  readonly exit: number;
  constructor(message: string, options: { exit?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "CommandError";
    this.exit = options.exit ?? EXIT.cannot;
  }
}

export function print(terminal: Terminal, text: string): void {
  terminal.stdout.write(`${text}\n`);
}

export function printJson(terminal: Terminal, value: unknown): void {
  print(terminal, JSON.stringify(value, null, 2));
}

/** Columns under each other; numbers to the right where a column says so. */
export function table(head: string[], rows: string[][], right: readonly number[] = []): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? "").length)));
  const line = (cells: string[]): string =>
    cells
      .map((cell, i) => (right.includes(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  return [line(head), ...rows.map(line)].join("\n");
}
