/** Errors as Node.js prints them: a stack, `[cause]:` blocks in braces, the socket's counters. The cause's code decides. */
import type { Evidence } from "@/server/domain/evidence";
import { exceptionLine } from "./exceptions";

const STACK = /^\s+at .+(?::\d+:\d+\)?|\{)\s*\{?$/m;
const CAUSE = /\[cause\]: (.+)/g;

/** Null for text that is no such block. */
export function nodeErrorEvidence(text: string): Partial<Evidence> | null {
  if (!text.includes("\n") || !STACK.test(text)) return null;
  const head = text.slice(0, text.indexOf("\n")).trim();
  const causes = [...text.matchAll(CAUSE)].map((match) => (match[1] ?? "").replace(/\s*\{$/, ""));
  const chain = [...causes.reverse(), head].flatMap((line) => exceptionLine(line) ?? []);
  const evidence: Partial<Evidence> = { message: [head, ...causes].join(": ") };
  if (chain[0]) {
    evidence.errorType = chain[0].type;
    evidence.errorChain = [...new Set(chain.map((one) => one.type))];
  }
  const code = /\bcode: '([A-Z][A-Z0-9_]+)'/.exec(text)?.[1];
  const peer = /\bremoteAddress: '([^']+)', remotePort: (\d+)/.exec(text);
  const bytesRead = /\bbytesRead: (\d+)/.exec(text)?.[1];
  if (code) evidence.code = code;
  if (peer) evidence.peer = `${peer[1]}:${peer[2]}`;
  if (bytesRead !== undefined) evidence.bytesRead = Number(bytesRead);
  return evidence;
}

/** A closing brace, or a line inside the braces that a block opened. */
export function continuesBlock(line: string, soFar: string): boolean {
  return /^\s*\}+\s*$/.test(line) && /\{\s*(?:\n|$)/.test(soFar);
}
