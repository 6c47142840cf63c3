"use client";

import Link from "next/link";
import { NOTHING } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import { Tag } from "@/app/_ui/tag";
import type { CompareAnswer, MetricComparison } from "@/server/compare/answer";
import { type Axis, differenceAxis } from "./axis";
import type { Paired } from "./compare-parsers";
import {
  differenceText,
  intervalText,
  isReward,
  pText,
  shownEstimate,
  sizeText,
  unitOf,
  VERDICT_TONE,
  VERDICT_WORD,
  valueText,
} from "./compare-text";
import { metricsCsv } from "./csv";
import { DifferencePlot, Dumbbell } from "./dumbbell";
import { MetricsPng } from "./metrics-png";
import { SaveCsv } from "./save-csv";

const SIDES = ["baseline", "candidate"] as const;

interface MetricTableProps {
  answer: CompareAnswer;
  paired: Paired;
}

/** Every metric in both runs, and how far they lie apart. */
export function MetricTable({ answer, paired }: MetricTableProps) {
  const axisFor = differenceAxis(answer.metrics, (metric) => shownEstimate(metric, paired));
  const files = [answer.baseline.id, answer.candidate.id];
  return (
    <Section
      title="The runs compared"
      note="95 % intervals; hollow: baseline, filled: candidate"
      actions={
        <>
          <SaveCsv text={() => metricsCsv(answer, paired)} fileName={["compare", ...files]} />
          <MetricsPng answer={answer} paired={paired} fileName={["compare", ...files]} />
        </>
      }
    >
      <table className="grid-table">
        <caption className="sr-only">Metrics of both runs with their difference and its interval</caption>
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <th scope="col" className="num max-md:hidden">
              Baseline
            </th>
            <th scope="col" className="num max-md:hidden">
              Candidate
            </th>
            <th scope="col" className="w-[236px] max-lg:hidden">
              Both, on one axis
            </th>
            <th scope="col">Candidate has</th>
            <th scope="col" className="w-[166px] max-md:hidden">
              <span className="flex justify-between font-normal">
                <span>worse</span> <span>better</span>
              </span>
            </th>
          </tr>
        </thead>
        <tbody>
          {answer.metrics.map((metric) => (
            <Row key={metric.id} answer={answer} metric={metric} paired={paired} axis={axisFor(metric)} />
          ))}
        </tbody>
      </table>
    </Section>
  );
}

interface RowProps extends MetricTableProps {
  metric: MetricComparison;
  axis: Axis;
}

function Row({ answer, metric, paired, axis }: RowProps) {
  const shown = shownEstimate(metric, paired);
  const pending = shown === null && answer.pending === true;
  const unit = unitOf(metric);
  const said =
    shown === null ? "" : `${differenceText(shown.estimate.difference, unit)} (${intervalText(shown.estimate, unit)})`;
  const on = shown?.on === "pairs" ? `on ${shown.pairs} pairs` : "on all rollouts";
  return (
    <tr>
      <th scope="row">
        <span className="block font-medium">{metric.title}</span>
        <span className={metric.verdict === "better" ? "-ml-1.5" : undefined}>
          <Tag tone={VERDICT_TONE[metric.verdict]} title={metric.reason}>
            {pending ? "computing" : VERDICT_WORD[metric.verdict]}
          </Tag>
        </span>
        <span className="mt-1 grid grid-cols-2 gap-x-3 md:hidden">
          {SIDES.map((side) => (
            <span key={side}>
              <span className="block text-tiny text-mut">{side}</span>
              <Side answer={answer} metric={metric} side={side} />
            </span>
          ))}
        </span>
      </th>
      {SIDES.map((side) => (
        <td key={side} className="num max-md:hidden">
          <Side answer={answer} metric={metric} side={side} />
        </td>
      ))}
      <td className="max-lg:hidden">
        <Dumbbell metric={metric} />
      </td>
      <td>
        {pending ? (
          <PendingEstimate />
        ) : shown === null ? (
          <span className="text-mut">{NOTHING}</span>
        ) : (
          <>
            <span className="block font-medium">{differenceText(shown.estimate.difference, unit)}</span>
            <span className="tabular block text-tiny text-mut" title={shown.estimate.method}>
              {intervalText(shown.estimate, unit)}
            </span>
            <span className="tabular block text-tiny text-mut" title={shown.estimate.method}>
              {[pText(shown.estimate.p), on].filter(Boolean).join(" · ")}
            </span>
          </>
        )}
      </td>
      <td className="max-md:hidden">
        {shown && <DifferencePlot {...shown.estimate} axis={axis} verdict={metric.verdict} said={said} />}
      </td>
    </tr>
  );
}

/** Three lines that are being computed, each as high and about as wide as it will be. */
function PendingEstimate() {
  return (
    <span role="status" className="block">
      <span className="sr-only">Being computed</span>
      {["w-[17ch]", "w-[22ch] text-tiny", "w-[20ch] text-tiny"].map((line) => (
        <span key={line} className={`skeleton block ${line}`}>
          &nbsp;
        </span>
      ))}
    </span>
  );
}

interface SideProps {
  answer: CompareAnswer;
  metric: MetricComparison;
  side: "baseline" | "candidate";
}

/** A side's value with its size; leads to the rollouts that it counts. */
function Side({ answer, metric, side }: SideProps) {
  const known = metric[side];
  if (known === null) return <span className="text-mut">{NOTHING}</span>;
  const verdict = metric.id === "infraRate" ? "infra_failed" : isReward(metric.id) ? "all" : "passed";
  return (
    <span className="inline-flex flex-col">
      <Link
        href={`/runs/${encodeURIComponent(answer[side].id)}?verdict=${verdict}#rollouts`}
        className="rows-link font-medium"
        aria-label={`${metric.title}, ${side}: ${valueText(metric.id, known.value.value)}`}
      >
        {valueText(metric.id, known.value.value)}
      </Link>
      <span className="text-tiny text-mut" title={known.method}>
        {sizeText(metric, known)}
        {answer.pending && known.value.low === null && (
          <span className="skeleton ml-1 inline-block w-[11ch]">&nbsp;</span>
        )}
      </span>
    </span>
  );
}
