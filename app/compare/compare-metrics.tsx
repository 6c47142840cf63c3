"use client";

import type { CompareAnswer } from "@/server/compare/answer";
import type { Paired } from "./compare-parsers";
import { MetricTable } from "./metric-table";
import { PairingSwitch } from "./pairing-switch";

interface CompareMetricsProps {
  answer: CompareAnswer;
  paired: Paired;
  onPaired(paired: Paired): void;
}

/** The measures side by side, and what their differences rest on. */
export function CompareMetrics({ answer, paired, onPaired }: CompareMetricsProps) {
  return (
    <>
      <PairingSwitch answer={answer} paired={paired} onChange={onPaired} />
      <MetricTable answer={answer} paired={paired} />
    </>
  );
}
