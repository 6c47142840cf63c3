"use client";

import { useReader } from "@/app/_client/reader";
import { Figure } from "@/app/_ui/figure";
import { count, duration, NOTHING, rateText } from "@/app/_ui/format";
import { When } from "@/app/_ui/when";
import type { CanaryAnswer, CanaryState } from "@/server/domain/canary";
import { wilson } from "@/server/stats/proportion";
import { StateTag } from "../state-tag";
import type { CanaryLog } from "./canary-log";

interface CanaryFiguresProps {
  run: CanaryAnswer;
  state: CanaryState;
  log: CanaryLog;
}

/** State, time, and how much of it failed. */
export function CanaryFigures({ run, state, log }: CanaryFiguresProps) {
  const { now } = useReader();
  const trials = run.result?.trials ?? log.result?.trials ?? null;
  const rate = trials ? wilson(trials.failed, trials.n) : null;
  const from = run.startedAt === null ? null : Date.parse(run.startedAt);
  const to = run.endedAt === null ? now : Date.parse(run.endedAt);
  const ended = log.cycles.filter((cycle) => cycle.end !== null).length;
  const { progress } = log;
  return (
    <dl className="mb-8 grid grid-cols-2 overflow-hidden rounded-lg border md:grid-cols-4">
      <Figure
        label="State"
        value={<StateTag state={state} />}
        small={progress ? `${progress.done} of ${progress.total}` : ""}
      />
      <Figure
        label="Failed tries"
        value={trials === null ? NOTHING : `${count(trials.failed)} of ${count(trials.n)}`}
        small={trials === null ? "this plan measures only" : rate === null ? "nothing was tried" : rateText(rate)}
      >
        {trials !== null && trials.ownFaults > 0 && (
          <span className="block text-small text-warn">{count(trials.ownFaults)} left out: our own trouble</span>
        )}
      </Figure>
      <Figure label="Sandboxes" value={count(log.cycles.length || run.cycles.length)} small={`${count(ended)} ended`} />
      <Figure
        label="Took"
        value={from === null ? NOTHING : duration(Math.max(0, to - from))}
        small={<When at={run.startedAt} as="full" />}
      />
    </dl>
  );
}
