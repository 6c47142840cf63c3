/** A run's events folded into what its page shows. Pure: the same events give the same log. */
import type { CanaryCycle, CanaryEvent, CanaryState, CanaryStep, PlanResult } from "@/server/domain/canary";

export interface LiveCycle {
  id: string;
  steps: readonly CanaryStep[];
  /** Null while it goes on. */
  end: CanaryCycle | null;
}

export interface CanaryLog {
  /** Number of the newest event. */
  last: number;
  state: CanaryState | null;
  progress: { text: string; done: number; total: number } | null;
  /** In the order in which they began. */
  cycles: readonly LiveCycle[];
  /** Newest point of each thing that the plan measures. */
  points: readonly Record<string, unknown>[];
  result: PlanResult | null;
  notes: readonly string[];
}

export const EMPTY_LOG: CanaryLog = {
  last: 0,
  state: null,
  progress: null,
  cycles: [],
  points: [],
  result: null,
  notes: [],
};

const MOST_CYCLES = 500;
const MOST_POINTS = 2_000;

/** Events that were folded before change nothing: a stream that was lost begins again with some of them. */
export function applyEvents(log: CanaryLog, events: readonly CanaryEvent[]): CanaryLog {
  const fresh = events.filter((event) => event.id > log.last);
  if (fresh.length === 0) return log;
  const cycles = new Map(log.cycles.map((cycle) => [cycle.id, cycle]));
  const next = { ...log, points: [...log.points], notes: [...log.notes] };
  for (const { id, type, data } of fresh) {
    next.last = id;
    if (type === "state") next.state = data.state as CanaryState;
    else if (type === "progress") next.progress = data as unknown as CanaryLog["progress"];
    else if (type === "result") next.result = data as unknown as PlanResult;
    else if (type === "note") next.notes.push(String(data.text));
    else if (type === "point") next.points.push(data);
    else if (type === "step") addStep(cycles, data as unknown as CanaryStep & { cycle: string });
    else if (type === "cycle") end(cycles, data as unknown as CanaryCycle);
  }
  return { ...next, cycles: [...cycles.values()].slice(-MOST_CYCLES), points: next.points.slice(-MOST_POINTS) };
}

function addStep(cycles: Map<string, LiveCycle>, { cycle, ...step }: CanaryStep & { cycle: string }): void {
  const known = cycles.get(cycle) ?? { id: cycle, steps: [], end: null };
  cycles.set(cycle, { ...known, steps: [...known.steps, step] });
}

function end(cycles: Map<string, LiveCycle>, cycle: CanaryCycle): void {
  const known = cycles.get(cycle.id) ?? { id: cycle.id, steps: [], end: null };
  cycles.set(cycle.id, { ...known, end: cycle });
}
