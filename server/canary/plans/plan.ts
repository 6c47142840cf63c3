/** A plan is data and one function: its options with their bounds, and what it does with a target within them. */
import type { z } from "zod";
import type { PlanName, PlanResult } from "@/server/domain/canary";
import type { CycleOptions, CycleResult } from "../cycle";
import type { OpenSandbox } from "../opensandbox";
import type { ProbeRecord } from "../probe";
import type { ProbeProblem } from "../probe-evidence";
import type { TransportProfile } from "../profile";
import type { Session } from "../session";
import type { Setup, SetupOptions } from "../setup";
import type { Target } from "../target";

/** What a plan may do. Everything it makes is bounded by the target's settings and deleted at the end. */
export interface PlanContext {
  readonly target: Target;
  readonly setup: Setup;
  /** A client of its own, by default with the setup's profile; closed when the plan ends. */
  client(profile?: TransportProfile): OpenSandbox;
  /** Waits for a place, makes a sandbox, lets `use` work with it, deletes it. */
  inSandbox(use: (session: Session) => Promise<void>): Promise<CycleResult>;
  cycle(options: CycleOptions): Promise<CycleResult>;
  /** Holds a place while `act` runs, for probes without a sandbox; undefined when cancelled first. */
  inPlace<T>(act: () => Promise<T>): Promise<T | undefined>;
  /** Keeps a probe made outside of a session as evidence, and says its class. */
  probe(record: ProbeRecord, problem: ProbeProblem | null, sandbox: string | null): string | null;
  /** Nobody creates for so long (ms). */
  backOff(ms: number): void;
  /** The same with another setup: an arm of a comparison. */
  with(setup: Setup): PlanContext;
}

export interface Emit {
  progress(text: string, done: number, total: number): void;
  /** One measured point of the plan's live picture. */
  point(data: Record<string, unknown>): void;
}

/** `run` ends soon after the signal aborts, with what it has. */
export interface Plan<O extends SetupOptions> {
  name: PlanName;
  title: string;
  optionsSchema: z.ZodType<O>;
  /** Checked with the target before anything is made. Throws `invalid` with the reason. */
  check?(options: O, target: Target): void;
  /** The seconds that one sandbox must live at least, when the target's own timeout may be too short. */
  lifetimeS?(options: O): number;
  /** Options for one arm of a comparison, when the plan compares something itself. */
  forArm?(options: O): O;
  run(context: PlanContext, options: O, signal: AbortSignal, emit: Emit): Promise<PlanResult>;
}

/** Keeps a plan's options typed inside it and unknown outside. */
export type AnyPlan = Plan<SetupOptions>;

export function definePlan<O extends SetupOptions>(plan: Plan<O>): AnyPlan {
  return plan as unknown as AnyPlan;
}
