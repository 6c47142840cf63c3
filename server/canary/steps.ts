/** The steps of one cycle: each a span, with its probe, what was wrong and the class that the one classifier gave it. */
import type { ProbeRecord } from "./probe";
import { classifyProbe, type ProbeProblem } from "./probe-evidence";

export const STEP_NAMES = ["create", "ready", "endpoint", "ping", "idle", "exec", "inspect", "delete"] as const;
export type StepName = (typeof STEP_NAMES)[number];

export interface Step {
  name: StepName;
  /** Epoch ms. */
  startedAt: number;
  ms: number;
  ok: boolean;
  record: ProbeRecord | null;
  problem: ProbeProblem | null;
  class: string | null;
  rule: string | null;
  /** The exec daemon had answered before. */
  daemonAnswered: boolean;
}

/** What a step's doing returns: its probe, and what was wrong. */
export interface Done {
  record: ProbeRecord | null;
  /** null: judged and found well. Left out: judged by the probe's own code. */
  problem?: ProbeProblem | null;
}

export class StepLog {
  readonly steps: Step[] = [];
  /** Epoch ms of the create's answer: the bind window counts from it. */
  createdAt: number | null = null;
  /** The exec daemon has answered: what fails from now on is no race with its start. */
  private bound = false;

  constructor(private readonly onStep: (step: Step) => void) {}

  /** Times `act`, classifies what it met and tells about it. True when it went well. */
  async run(name: StepName, act: () => Promise<Done>): Promise<boolean> {
    const startedAt = Date.now();
    const { record, problem: said } = await act();
    const code = record?.code ?? null;
    const own = code === null ? null : { code, message: record?.message ?? null };
    const problem = said === undefined ? own : said;
    const bad = problem !== null;
    const daemonAnswered = this.bound;
    const mayRace = this.createdAt !== null && record !== null && !daemonAnswered;
    const sinceCreate = mayRace ? record.startedAt - (this.createdAt ?? 0) : null;
    if (!bad && (name === "ping" || name === "exec")) this.bound = true;
    const found = bad && record ? classifyProbe(record, problem, sinceCreate) : null;
    const step: Step = {
      name,
      startedAt,
      ms: Date.now() - startedAt,
      ok: !bad,
      record,
      problem,
      class: found?.class ?? null,
      rule: found?.rule ?? null,
      daemonAnswered,
    };
    this.steps.push(step);
    this.onStep(step);
    return step.ok;
  }

  /** A failed step counts unless the same step went well afterwards (a delete that was tried again). */
  get failures(): Step[] {
    return this.steps.filter(
      (step, i) =>
        !step.ok && !(step.name === "delete" && this.steps.slice(i + 1).some((s) => s.name === "delete" && s.ok)),
    );
  }
}
