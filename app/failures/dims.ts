/** By what failures are grouped. Pure. */
import { FAILURE_DIMS, type FailureDim, type FailureGroup } from "@/server/domain/answers";

export const DIM_NAME: Record<FailureDim, string> = {
  family: "Family",
  class: "Class",
  node: "Node",
  config: "Config",
  run: "Run",
  source: "Source",
  hour: "Hour",
  day: "Day",
};

/** At most two different ones; hour and day do not go together. What is unknown is left out; nothing = by class. */
export function dimsOf(by: string | null): FailureDim[] {
  const known = (by ?? "").split(",").flatMap((name) => FAILURE_DIMS.find((dim) => dim === name) ?? []);
  const [first, second] = [...new Set(known)];
  if (first === undefined) return ["class"];
  return second === undefined || !fits(first, second) ? [first] : [first, second];
}

/** May `second` be asked for beside `first`? */
export function fits(first: FailureDim, second: FailureDim): boolean {
  const times: readonly FailureDim[] = ["hour", "day"];
  return first !== second && !(times.includes(first) && times.includes(second));
}

const SPAN_MS: Partial<Record<FailureDim, number>> = { hour: 3_600_000, day: 86_400_000 };

/** The filter that leaves one group's incidents; null when a value is unknown, which no filter can ask for. */
export function filterOf(key: FailureGroup["key"]): Record<string, string> | null {
  const filter: Record<string, string> = {};
  for (const [dim, value] of Object.entries(key) as [FailureDim, string | null][]) {
    if (value === null) return null;
    const span = SPAN_MS[dim];
    if (span === undefined) filter[dim] = value;
    else {
      filter.from = value;
      filter.to = new Date(Date.parse(value) + span).toISOString();
    }
  }
  return filter;
}
