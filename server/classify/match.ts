/** Does evidence satisfy a condition? A missing field never satisfies a test, so absence proves nothing. */
import type { Evidence } from "@/server/domain/evidence";
import type { Condition, Test } from "./rule";

type Value = Evidence[keyof Evidence];
type Range = { min?: number; max?: number };

/** All named fields are present and satisfy their test. */
export function matches(condition: Condition, evidence: Evidence): boolean {
  for (const field in condition) {
    const test = condition[field as keyof Condition];
    if (test === undefined) continue;
    const value = field === "elapsedShare" ? elapsedShare(evidence) : evidence[field as keyof Evidence];
    if (!holds(test, value)) return false;
  }
  return true;
}

/** The name of the first named group of `pattern` that took part in its match on `text`; null when none did. */
export function namedGroup(pattern: RegExp, text: string): string | null {
  const groups = pattern.exec(text)?.groups;
  if (!groups) return null;
  return Object.keys(groups).find((name) => groups[name] !== undefined) ?? null;
}

/** How much of its time limit a command used; undefined when either is unknown. */
function elapsedShare({ durationMs, timeoutMs }: Evidence): number | undefined {
  return durationMs === undefined || timeoutMs === undefined || timeoutMs <= 0 ? undefined : durationMs / timeoutMs;
}

function holds(test: Test, value: Value): boolean {
  if (value === undefined || value === null) return false;
  // A chain of exception classes satisfies a test when one of its links does.
  if (Array.isArray(value)) return value.some((link) => holds(test, link));
  if (test instanceof RegExp) return typeof value === "string" && test.test(value);
  if (Array.isArray(test)) return test.includes(value as string | number | boolean);
  if (typeof test === "object") return inRange(test as Range, value);
  return test === value;
}

function inRange({ min, max }: Range, value: Value): boolean {
  if (typeof value !== "number" || Number.isNaN(value)) return false;
  return (min === undefined || value >= min) && (max === undefined || value <= max);
}
