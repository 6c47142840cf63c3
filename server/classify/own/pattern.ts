/**
 * Runs a users' pattern over a text in time that grows with the text alone: all ways through the pattern are followed at once,
 * so there is nothing to try again and nothing that can run away.
 */
import { type Node, PatternError, parsePattern, type Range } from "./pattern-parse";

export interface Pattern {
  /** Does the pattern hold anywhere in `text`? */
  test(text: string): boolean;
}

type Step =
  | { op: "unit"; ranges: readonly Range[]; negated: boolean }
  | { op: "split"; to: number; or: number }
  | { op: "start" | "end" | "edge" | "inside" }
  | { op: "done" };

/** Bounds the work a unit of text can cost. */
const MAX_STEPS = 1_000;
const IGNORE_CASE = /^\(\?i\)/;

/** `(?i)` at its head takes a to z in either case. Throws `PatternError` with what is wrong. */
export function compilePattern(source: string): Pattern {
  const ignoreCase = IGNORE_CASE.test(source);
  const steps = new Compiler(ignoreCase).program(parsePattern(source.replace(IGNORE_CASE, "")));
  return { test: (text) => run(steps, ignoreCase ? text.replace(/[a-z]+/g, (part) => part.toUpperCase()) : text) };
}

class Compiler {
  private readonly steps: Step[] = [];

  constructor(private readonly ignoreCase: boolean) {}

  program(node: Node): Step[] {
    this.node(node);
    this.add({ op: "done" });
    return this.steps;
  }

  private add(step: Step): number {
    if (this.steps.length >= MAX_STEPS) throw new PatternError(`is too large: more than ${MAX_STEPS} steps`);
    return this.steps.push(step) - 1;
  }

  private node(node: Node): void {
    if (node.kind === "set") {
      this.add({ op: "unit", ranges: this.ignoreCase ? folded(node.ranges) : node.ranges, negated: node.negated });
    } else if (node.kind === "all") {
      for (const part of node.parts) this.node(part);
    } else if (node.kind === "any") {
      this.any(node.parts);
    } else if (node.kind === "repeat") {
      this.repeat(node);
    } else {
      this.add({ op: node.kind });
    }
  }

  private any(parts: readonly Node[]): void {
    const [first, ...rest] = parts;
    if (!first) return;
    if (rest.length === 0) {
      this.node(first);
      return;
    }
    const split = this.split();
    this.node(first);
    const jump = this.split();
    split.or = this.steps.length;
    this.any(rest);
    jump.to = this.steps.length;
    jump.or = this.steps.length;
  }

  private repeat({ part, min, max }: Node & { kind: "repeat" }): void {
    for (let i = 0; i < min; i++) this.node(part);
    if (max === Number.POSITIVE_INFINITY) {
      const from = this.steps.length;
      const split = this.split();
      this.node(part);
      this.add({ op: "split", to: from, or: from });
      split.or = this.steps.length;
      return;
    }
    const open = [];
    for (let i = min; i < max; i++) {
      open.push(this.split());
      this.node(part);
    }
    for (const split of open) split.or = this.steps.length;
  }

  /** Goes on with the next step, or with one that is told later. */
  private split(): { to: number; or: number } {
    const step = { op: "split" as const, to: this.steps.length + 1, or: this.steps.length + 1 };
    this.add(step);
    return step;
  }
}

/** The text comes in capitals, so a range that holds small letters must hold their capitals. */
function folded(ranges: readonly Range[]): Range[] {
  return ranges.flatMap(([from, to]) => {
    const all: Range[] = [[from, to]];
    const lower: Range = [Math.max(from, 97), Math.min(to, 122)];
    if (lower[0] <= lower[1]) all.push([lower[0] - 32, lower[1] - 32]);
    return all;
  });
}

function run(steps: readonly Step[], text: string): boolean {
  const seen = new Int32Array(steps.length).fill(-1);
  let now: number[] = [];
  for (let at = 0; at <= text.length; at++) {
    // A match may begin anywhere.
    if (follow(steps, 0, text, at, seen, now)) return true;
    const unit = text.charCodeAt(at);
    const next: number[] = [];
    for (const index of now) {
      const step = steps[index];
      if (at === text.length || step?.op !== "unit" || within(step.ranges, unit) === step.negated) continue;
      if (follow(steps, index + 1, text, at + 1, seen, next)) return true;
    }
    now = next;
  }
  return false;
}

/** Adds to `list` the units that can come after step `from` at `at`; true when the pattern is through. */
function follow(
  steps: readonly Step[],
  from: number,
  text: string,
  at: number,
  seen: Int32Array,
  list: number[],
): boolean {
  const open = [from];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (seen[index] === at) continue;
    seen[index] = at;
    const step = steps[index];
    if (step === undefined || step.op === "done") return true;
    if (step.op === "unit") list.push(index);
    else if (step.op === "split") open.push(step.or, step.to);
    else if (holds(step.op, text, at)) open.push(index + 1);
  }
  return false;
}

function holds(op: "start" | "end" | "edge" | "inside", text: string, at: number): boolean {
  if (op === "start") return at === 0;
  if (op === "end") return at === text.length;
  const isEdge = isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at));
  return isEdge === (op === "edge");
}

function isWord(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 95 || (unit >= 97 && unit <= 122);
}

function within(ranges: readonly Range[], unit: number): boolean {
  for (const [from, to] of ranges) if (unit >= from && unit <= to) return true;
  return false;
}
