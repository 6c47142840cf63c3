"use client";

import { useRouter } from "next/navigation";
import { useReader } from "@/app/_client/reader";
import { ChartFrame } from "@/app/_ui/chart/chart-frame";
import { LazyBars } from "@/app/_ui/chart/lazy-bars";
import { fileStem } from "@/app/_ui/chart/save-blob";
import { TimeTable } from "@/app/_ui/chart/time-table";
import { day, shortDay, UTC } from "@/app/_ui/clock";
import { familyText, sumFamilies } from "@/app/_ui/families";
import { FamilyLegend } from "@/app/_ui/family-mark";
import { plural, rateText } from "@/app/_ui/format";
import type { Overview } from "@/server/domain/answers";
import { dayRows } from "./overview-day-rows";

const HEIGHT = 170;
const DAY_MS = 86_400_000;

/** Rollouts lost per day by family; a day leads to its incidents. Days are UTC days whatever zone times are shown in. */
export function DayBars({ days }: { days: Overview["days"] }) {
  const { zone } = useReader();
  const router = useRouter();
  if (days.length === 0) return null;
  const lost = sumFamilies(days.map((one) => one.byFamily));
  const worst = days.reduce((most, one) =>
    (one.infraFailed?.value ?? 0) > (most.infraFailed?.value ?? 0) ? one : most,
  );
  const summary = `${plural(days.length, "day")} with rollouts. Lost by family: ${familyText(lost)}. Worst day: ${worst.at.slice(0, 10)}, ${rateText(worst.infraFailed)}.`;
  const pick = (at: string) =>
    router.push(`/failures?from=${at}&to=${new Date(Date.parse(at) + DAY_MS).toISOString()}&outcome=fatal#incidents`);
  return (
    <ChartFrame
      title="Lost rollouts per day"
      note={zone.name === UTC.name ? "by family" : "by family, UTC days"}
      summary={summary}
      legend={<FamilyLegend counts={lost} />}
      height={HEIGHT}
      fileName={fileStem("lost-per-day")}
      table={
        <TimeTable
          caption="Lost rollouts per day"
          rows={days.map((one) => ({ ...one, rate: one.infraFailed }))}
          as="day"
        />
      }
    >
      <LazyBars
        height={HEIGHT}
        summary={summary}
        onPick={pick}
        data={dayRows(days).map((one) => ({
          key: one.at,
          label: shortDay(Date.parse(one.at), UTC),
          title: day(Date.parse(one.at), UTC),
          byFamily: one.byFamily,
          note: rateText(one.infraFailed),
        }))}
      />
    </ChartFrame>
  );
}
