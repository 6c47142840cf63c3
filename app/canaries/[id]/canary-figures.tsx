"use client";

import { useEffect, useState } from "react";
import { useReader } from "@/app/_client/reader";
import { Figure } from "@/app/_ui/figure";
import { count, duration, NOTHING, percent, percentRange } from "@/app/_ui/format";
import { When } from "@/app/_ui/when";
import { type CanaryAnswer, type CanaryState, isOver } from "@/server/domain/canary";
import type { Rate } from "@/server/domain/rate";
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
  const now = useSeconds(!isOver(state));
  const trials = run.result ? run.result.trials : (log.result?.trials ?? soFar(log));
  const rate = trials ? wilson(trials.failed, trials.n) : null;
  const from = run.startedAt === null ? null : Date.parse(run.startedAt);
  const to = run.endedAt === null ? now : Date.parse(run.endedAt);
  const ended = log.cycles.filter((cycle) => cycle.end !== null).length;
  const progress = isOver(state) ? null : log.progress;
  const made = Math.max(log.cycles.length, run.cycles.length);
  return (
    <dl className="mb-8 grid grid-cols-2 overflow-hidden rounded-lg border md:grid-cols-4">
      <Figure
        label="State"
        value={<StateTag state={state} result={run.result ?? log.result} />}
        small={progress ? `${progress.done} of ${progress.total}` : ""}
      />
      <Figure
        label="Failed tries"
        value={trials === null ? NOTHING : `${count(trials.failed)} of ${count(trials.n)}`}
        small={trials === null ? "this plan measures only" : sizeOf(rate)}
      >
        {trials !== null && trials.ownFaults > 0 && (
          <span className="block text-small text-warn">{count(trials.ownFaults)} left out: our own trouble</span>
        )}
      </Figure>
      <Figure
        label="Sandboxes"
        value={made === 0 ? NOTHING : count(made)}
        small={made === 0 ? "none made" : `${count(Math.max(ended, isOver(state) ? made : 0))} ended`}
      />
      <Figure
        label="Took"
        value={from === null ? NOTHING : duration(Math.max(0, to - from))}
        small={<When at={run.startedAt} as="full" />}
      />
    </dl>
  );
}

function sizeOf(rate: Rate | null): string {
  return rate === null ? "nothing was tried" : `${percent(rate.value)} · ${percentRange(rate.low, rate.high)}`;
}

/** Cycles that ended by now, before the plan has its own count. */
function soFar({ cycles }: CanaryLog): { n: number; failed: number; ownFaults: number } {
  const ended = cycles.flatMap((cycle) => (cycle.end === null || cycle.end.cancelled ? [] : [cycle.end]));
  const fair = ended.filter((end) => !end.ownFault);
  return { n: fair.length, failed: fair.filter((end) => !end.ok).length, ownFaults: ended.length - fair.length };
}

/** Epoch ms, moving once a second while `on`; else the reader's slower clock. */
function useSeconds(on: boolean): number {
  const { now } = useReader();
  const [second, setSecond] = useState(now);
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => setSecond(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [on]);
  return Math.max(now, second);
}
