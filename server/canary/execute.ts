/** Runs one plan from start to end: told live, kept, cut at the target's bound, and judged. */
import { setMaxListeners } from "node:events";
import { CoalmineError } from "@/server/domain/errors";
import type { TargetBounds } from "./bounds";
import type { CheckedRequest } from "./plans/list";
import type { Pods } from "./pods";
import { RunContext } from "./run-context";
import type { RunJournal } from "./run-journal";
import type { Target } from "./target";
import { cycleView, stepView } from "./views";

export interface Execution {
  journal: RunJournal;
  request: CheckedRequest;
  target: Target;
  apiKey: string | null;
  pods: Pods | null;
  bounds: TargetBounds;
  installation: string;
  boot: string;
  active: Set<string>;
  cancel: AbortSignal;
  goneWithinMs: number;
}

/** Never throws: what went wrong on our side is the state `error` with a note. */
export async function execute(execution: Execution): Promise<void> {
  const { journal, request, target, cancel } = execution;
  const { run } = journal;
  const tooLong = AbortSignal.timeout(target.bounds.maxDurationS * 1000);
  const signal = AbortSignal.any([cancel, tooLong]);
  // Every probe of a burst listens for the one cancel.
  setMaxListeners(0, signal, cancel, tooLong);
  const context = contextOf(execution, signal);
  run.startedAt = new Date().toISOString();
  journal.state("running");
  await journal.save();
  try {
    const emit = {
      progress: (text: string, done: number, total: number) => journal.event("progress", { text, done, total }),
      point: (data: Record<string, unknown>) => journal.event("point", data),
    };
    run.result = await request.plan.run(context, request.options, signal, emit);
    journal.event("result", { ...run.result });
    finish(execution, tooLong.aborted);
  } catch (error) {
    journal.note(whatWentWrong(error));
    journal.state("error");
  } finally {
    await context.close();
  }
}

function contextOf({ journal, request, target, ...rest }: Execution, signal: AbortSignal): RunContext {
  const { id, plan } = journal.run;
  const { installation, boot } = rest;
  return new RunContext(target, request.setup, {
    apiKey: rest.apiKey,
    pods: rest.pods,
    bounds: rest.bounds,
    source: { installation, canary: id, target: target.name, plan },
    metadata: { "coalmine-installation": installation, "coalmine-engine": boot, "coalmine-canary": id },
    signal,
    active: rest.active,
    goneWithinMs: rest.goneWithinMs,
    onStep: (cycle, step) => journal.event("step", { cycle, ...stepView(step) }),
    onCycle: (cycle) => {
      journal.cycle(cycleView(cycle));
      if (cycle.left.length > 0) journal.note(`Still there after their delete: ${cycle.left.join(", ")}.`);
    },
    onEvidence: (lines) => journal.keep(lines),
  });
}

function finish({ journal, target, cancel }: Execution, tooLong: boolean): void {
  const { run } = journal;
  const leaked = run.cycles.some((cycle) => cycle.left.length > 0);
  const failed = run.result?.ok === false || leaked;
  if (tooLong && !cancel.aborted) {
    journal.note(`Cut short after ${target.bounds.maxDurationS} s, the target's bound on a run.`);
  }
  const cut = cancel.aborted || (tooLong && !failed);
  journal.state(cut ? "cancelled" : failed ? "failed" : "passed");
}

function whatWentWrong(error: unknown): string {
  if (error instanceof CoalmineError) return error.message;
  return `Our own mistake: ${error instanceof Error ? error.message : String(error)}`;
}
