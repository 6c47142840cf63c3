/** What the HTTP layer asks of canaries, wherever the engine runs. */
import type {
  CanaryAnswer,
  CanaryEvent,
  CanaryNodeAnswer,
  CanarySummary,
  LeftoverAnswer,
  PlanAnswer,
  ScheduleAnswer,
  TargetAnswer,
} from "@/server/domain/canary";

export interface CanaryRequest {
  target: string;
  plan: string;
  /** As they came; checked by the plan before anything is made. */
  options: unknown;
  /** Who asks, for the record. */
  by: string;
}

export interface CanaryService {
  plans(): PlanAnswer[];
  targets(): Promise<TargetAnswer[]>;
  /** Throws `invalid` with the reason, `busy` when too many wait. */
  submit(request: CanaryRequest): Promise<CanarySummary>;
  /** Newest first. */
  list(): Promise<CanarySummary[]>;
  /** Throws `not_found`. */
  get(id: string): Promise<CanaryAnswer>;
  /** Throws `not_found`, `conflict` when it is over. */
  cancel(id: string): Promise<CanarySummary>;
  /** What happened after event `after` (0: all), and what happens, until the run is over or the signal aborts. Throws `not_found`. */
  events(id: string, after: number, signal: AbortSignal): AsyncGenerator<CanaryEvent>;
  /** Throws `invalid` for an unknown target, `unavailable` when it does not answer. */
  leftovers(target: string, run: string | null): Promise<LeftoverAnswer[]>;
  schedules(): Promise<ScheduleAnswer[]>;
  /** What canaries met on each node, by name. */
  nodes(): Promise<CanaryNodeAnswer[]>;
  stop(): Promise<void>;
}
