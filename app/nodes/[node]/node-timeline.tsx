"use client";

import { useRouter } from "next/navigation";
import { useReader } from "@/app/_client/reader";
import { ChartFrame } from "@/app/_ui/chart/chart-frame";
import { LazyBars } from "@/app/_ui/chart/lazy-bars";
import { fileStem } from "@/app/_ui/chart/save-blob";
import { TimeTable } from "@/app/_ui/chart/time-table";
import { brief, full, minute } from "@/app/_ui/clock";
import { familyText, familyTotal, sumFamilies } from "@/app/_ui/families";
import { FamilyLegend } from "@/app/_ui/family-mark";
import { plural } from "@/app/_ui/format";
import type { NodeDetail } from "@/server/domain/node-detail";
import { incidentsHref } from "../incidents-href";
import { hoursShown } from "./node-words";

const HEIGHT = 150;
const HOUR_MS = 3_600_000;

/** Rollouts that ended there, hour by hour, and which were lost. A bar leads to its losses. */
export function NodeTimeline({ node, run }: { node: NodeDetail; run: string | null }) {
  const { zone } = useReader();
  const router = useRouter();
  const rows = hoursShown(node.timeline);
  if (rows.length === 0) return null;
  const lost = sumFamilies(rows.map((row) => row.byFamily));
  const total = familyTotal(lost);
  const ended = total + rows.reduce((sum, row) => sum + row.well, 0);
  const days = new Set(rows.map((row) => row.at.slice(0, 10))).size;
  const fate = total === 0 ? "none was lost" : `${total} of them lost (${familyText(lost)})`;
  const summary = `${plural(ended, "rollout")} ended there in the newest week; ${fate}.`;
  const pick = (at: string) => {
    const from = Date.parse(at);
    router.push(incidentsHref({ node: node.node, run, from, to: from + HOUR_MS }));
  };
  return (
    <ChartFrame
      title="What happened there"
      note={`rollouts ended per hour, ${zone.name}`}
      summary={summary}
      legend={<FamilyLegend counts={lost} />}
      height={HEIGHT}
      fileName={fileStem("node", node.node)}
      table={<TimeTable caption="Rollouts ended per hour" rows={rows} as="full" />}
    >
      <LazyBars
        height={HEIGHT}
        summary={summary}
        onPick={pick}
        data={rows.map((row) => {
          const at = Date.parse(row.at);
          return {
            key: row.at,
            label: days > 1 ? brief(at, zone).slice(0, 11) : minute(at, zone),
            title: full(at, zone).slice(0, 16),
            well: row.well,
            byFamily: row.byFamily,
          };
        })}
      />
    </ChartFrame>
  );
}
