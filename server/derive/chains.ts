/**
 * Folding: observations of one failed operation become one chain (taxonomy.md §3.2–3.3).
 * Each class says how it folds; a success of the same operation ends its chain.
 */

import type { Fold } from "@/server/classify/rule";
import { classInfo } from "@/server/classify/taxonomy";
import type { Observation } from "@/server/domain/facts";
import { successOf } from "./success";

/** Failures of one operation, in time order, and what ended it well, if anything did. */
export interface Chain {
  class: string;
  failures: Observation[];
  success: Observation | null;
}

/** Classes that are stages of one fault: a retry that met a 502 and the typed error when the budget was spent. */
const STAGES: Record<string, string> = {
  "proxy.backend_502": "backend",
  "proxy.bind_race": "backend",
  "proxy.backend_dead": "backend",
  "control.create_timeout": "create",
  "control.ready_check_failed": "create",
};

/** Of the stages of one chain, the class that says most. */
const DECISIVE = [
  "proxy.backend_dead",
  "control.create_timeout",
  "control.ready_check_failed",
  "proxy.bind_race",
  "proxy.backend_502",
];

export function byTime(a: Observation, b: Observation): number {
  if (a.at !== b.at) return (a.at ?? Number.POSITIVE_INFINITY) - (b.at ?? Number.POSITIVE_INFINITY);
  // Lines order only what has no time: the same records in another order must fold alike.
  if (a.at === null && a.line !== b.line) return a.line - b.line;
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** `failures` and `successes` are of one subject; both are sorted here. */
export function foldChains(failures: readonly Observation[], successes: readonly Observation[]): Chain[] {
  const ended = [...successes].sort(byTime);
  const open = new Map<string, Chain>();
  const chains: Chain[] = [];
  for (const failure of [...failures].sort(byTime)) {
    const name = failure.class as string;
    const fold = classInfo(name).fold;
    const stage = STAGES[name] ?? name;
    const key = foldKey(failure, fold, stage);
    const chain = findOpen(open, key, stage, failure, fold, ended);
    if (chain) {
      chain.failures.push(failure);
      if (key) open.set(key, chain);
      open.set(`${stage}|announced`, chain);
      continue;
    }
    const fresh: Chain = { class: name, failures: [failure], success: null };
    chains.push(fresh);
    if (key) open.set(key, fresh);
    open.set(`${stage}|announced`, fresh);
  }
  for (const chain of chains) {
    chain.class = decisiveClass(chain.failures);
    chain.success = successOf(chain, ended);
  }
  return chains;
}

/** What two failures must share to be tries of one operation; null when nothing ties this one to another. */
function foldKey(failure: Observation, fold: Fold, stage: string): string | null {
  const { operationId, operation, attempt, kind } = failure.evidence;
  // A cumulative counter names the same failures again and again.
  if (kind === "counter") return `${stage}|counter`;
  if (fold.by === "none") return null;
  if (fold.by === "operation") {
    if (operationId !== undefined) return `${stage}|id|${operationId}`;
    return operation !== undefined && attempt !== undefined ? `${stage}|op|${operation}` : null;
  }
  return `${stage}|${fold.by}`;
}

function findOpen(
  open: Map<string, Chain>,
  key: string | null,
  stage: string,
  failure: Observation,
  fold: Fold,
  ended: readonly Observation[],
): Chain | null {
  const same = key ? open.get(key) : undefined;
  if (same && within(same, failure, fold, ended)) return same;
  // A retry line announces one more try: the stage's next failure is that try, though it may not name the operation.
  const announced = fold.by === "operation" ? open.get(`${stage}|announced`) : undefined;
  const last = announced?.failures.at(-1);
  if (
    announced &&
    last?.evidence.kind === "retry" &&
    sameTry(last, failure) &&
    within(announced, failure, fold, ended)
  ) {
    return announced;
  }
  return null;
}

function sameTry(last: Observation, next: Observation): boolean {
  const a = last.evidence;
  const b = next.evidence;
  if (a.operationId !== undefined && b.operationId !== undefined) return a.operationId === b.operationId;
  if (a.operation !== undefined && b.operation !== undefined) return a.operation === b.operation;
  return true;
}

/** Close enough in time, no counter that starts again, and nothing succeeded in between. */
function within(chain: Chain, failure: Observation, fold: Fold, ended: readonly Observation[]): boolean {
  const last = chain.failures.at(-1);
  if (!last) return false;
  if (failure.evidence.kind === "counter") return true;
  if (startsAgain(last, failure)) return false;
  if (last.at === null || failure.at === null) return true;
  if (failure.at - last.at > fold.gapMs) return false;
  const between = ended.filter((s) => s.at !== null && s.at >= (last.at as number) && s.at < (failure.at as number));
  return successOf({ ...chain, failures: chain.failures }, between) === null;
}

function startsAgain(last: Observation, next: Observation): boolean {
  const a = last.evidence.attempt;
  const b = next.evidence.attempt;
  return a !== undefined && b !== undefined && b <= a;
}

function decisiveClass(failures: readonly Observation[]): string {
  const classes = new Set(failures.map((failure) => failure.class as string));
  return DECISIVE.find((name) => classes.has(name)) ?? (failures[0]?.class as string);
}
