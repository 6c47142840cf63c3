"use client";

import { useReader } from "@/app/_client/reader";
import { ChartFrame } from "@/app/_ui/chart/chart-frame";
import { LazyBars } from "@/app/_ui/chart/lazy-bars";
import { fileStem } from "@/app/_ui/chart/save-blob";
import { TimeTable } from "@/app/_ui/chart/time-table";
import { full, minute, shortDay, UTC } from "@/app/_ui/clock";
import { sumFamilies } from "@/app/_ui/families";
import { FamilyLegend } from "@/app/_ui/family-mark";
import { plural } from "@/app/_ui/format";
import type { FailureGroup } from "@/server/domain/answers";
import { timeRows } from "./time-rows";

const HEIGHT = 160;

interface TimeBarsProps {
  groups: readonly FailureGroup[];
  dim: "hour" | "day";
  /** The groups tell families apart. */
  stacked: boolean;
}

/** Incidents over time. */
export function TimeBars({ groups, dim, stacked }: TimeBarsProps) {
  const { zone } = useReader();
  const { rows, left } = timeRows(groups, dim);
  if (rows.length === 0) return null;
  const incidents = rows.reduce((sum, row) => sum + row.incidents, 0);
  const summary = `${plural(incidents, "incident")} in ${plural(rows.length, dim)}${left > 0 ? `; ${left} earlier ones are left out` : ""}.`;
  return (
    <ChartFrame
      title={`Incidents per ${dim}`}
      note={stacked ? "by family" : "add family to tell them apart"}
      summary={summary}
      legend={stacked && <FamilyLegend counts={sumFamilies(rows.map((row) => row.byFamily))} />}
      height={HEIGHT}
      fileName={fileStem("incidents-per", dim)}
      table={<TimeTable caption={`Incidents per ${dim}`} rows={rows} as={dim === "day" ? "day" : "full"} />}
    >
      <LazyBars
        height={HEIGHT}
        summary={summary}
        data={rows.map((row) => {
          const at = Date.parse(row.at);
          const label = dim === "day" ? shortDay(at, UTC) : minute(at, zone);
          return {
            key: row.at,
            label,
            title: full(at, dim === "day" ? UTC : zone).slice(0, dim === "day" ? 10 : 16),
            byFamily: row.byFamily,
          };
        })}
      />
    </ChartFrame>
  );
}
