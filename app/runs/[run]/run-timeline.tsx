"use client";

import { useReader } from "@/app/_client/reader";
import { ChartFrame } from "@/app/_ui/chart/chart-frame";
import { LazyBars } from "@/app/_ui/chart/lazy-bars";
import { fileStem } from "@/app/_ui/chart/save-blob";
import { TimeTable } from "@/app/_ui/chart/time-table";
import { full, minute, shortDay } from "@/app/_ui/clock";
import { familyText, familyTotal, sumFamilies } from "@/app/_ui/families";
import { FamilyLegend } from "@/app/_ui/family-mark";
import { duration, plural } from "@/app/_ui/format";
import type { RunBreakdown } from "@/server/domain/answers";
import { ROWS_ID, useRowFilter } from "./row-filter";

const HEIGHT = 150;
const DAY_MS = 86_400_000;

/** When rollouts ended, and which of them were lost. A bar shows its rollouts below. */
export function RunTimeline({ run, timeline }: { run: string; timeline: RunBreakdown["timeline"] }) {
  const { zone } = useReader();
  const { replace } = useRowFilter();
  const { buckets, bucketMs, withoutTime } = timeline;
  const lost = sumFamilies(buckets.map((bucket) => bucket.byFamily));
  if (buckets.length === 0) return null;
  const step = duration(bucketMs);
  const span = buckets.length * bucketMs;
  const label = (at: number) => (span > 2 * DAY_MS ? shortDay(at, zone) : minute(at, zone));
  const summary = summaryOf(timeline, lost, step);
  const pick = (at: string) => {
    replace({ verdict: "all", from: at, to: new Date(Date.parse(at) + bucketMs).toISOString() });
    document.getElementById(ROWS_ID)?.scrollIntoView({ block: "start", behavior: "smooth" });
  };
  return (
    <ChartFrame
      title="Timeline"
      note={`rollouts ended per ${step}, ${zone.name}`}
      summary={summary + (withoutTime > 0 ? ` ${plural(withoutTime, "rollout")} without a time are left out.` : "")}
      legend={<FamilyLegend counts={lost} />}
      height={HEIGHT}
      fileName={fileStem(run, "timeline")}
      table={<TimeTable caption={`Rollouts ended per ${step}`} rows={buckets} as="full" />}
    >
      <LazyBars
        height={HEIGHT}
        summary={summary}
        onPick={pick}
        data={buckets.map((bucket) => {
          const at = Date.parse(bucket.at);
          return {
            key: bucket.at,
            label: label(at),
            title: full(at, zone).slice(0, 16),
            well: bucket.well,
            byFamily: bucket.byFamily,
          };
        })}
      />
    </ChartFrame>
  );
}

/** The picture in words: how many were lost, and when most. */
function summaryOf({ buckets }: RunBreakdown["timeline"], lost: ReturnType<typeof sumFamilies>, step: string): string {
  const total = familyTotal(lost);
  const ended = total + buckets.reduce((sum, bucket) => sum + bucket.well, 0);
  if (total === 0) return `${plural(ended, "rollout")} ended; none was lost.`;
  const worst = Math.max(...buckets.map((bucket) => familyTotal(bucket.byFamily)));
  return `${plural(ended, "rollout")} ended, ${total} of them lost (${familyText(lost)}); at most ${worst} per ${step}.`;
}
