"use client";

import { ArrowLeftRight } from "lucide-react";
import { Button } from "@/app/_ui/button";
import { Choice, type Option } from "@/app/_ui/choice";
import type { RunSummary } from "@/server/domain/answers";

interface PickersProps {
  runs: readonly RunSummary[];
  baseline: string | null;
  candidate: string | null;
  onChange(next: { baseline?: string | null; candidate?: string | null }): void;
}

/** Which two runs. A run that is one side is not offered for the other. */
export function Pickers({ runs, baseline, candidate, onChange }: PickersProps) {
  const options = (other: string | null): Option[] =>
    runs.filter((run) => run.id !== other).map((run) => ({ value: run.id, label: run.name, n: run.rollouts }));
  return (
    <div className="mb-5 flex flex-wrap items-center gap-1.5">
      <Choice
        label="Baseline"
        any="None"
        value={baseline}
        options={options(candidate)}
        onChange={(next) => onChange({ baseline: next })}
      />
      <Button
        size="square"
        look="quiet"
        aria-label="Swap baseline and candidate"
        title="Swap"
        onClick={() => onChange({ baseline: candidate, candidate: baseline })}
      >
        <ArrowLeftRight aria-hidden="true" />
      </Button>
      <Choice
        label="Candidate"
        any="None"
        value={candidate}
        options={options(baseline)}
        onChange={(next) => onChange({ candidate: next })}
      />
    </div>
  );
}
