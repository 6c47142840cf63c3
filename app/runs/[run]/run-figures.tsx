"use client";

import { useQuery } from "@tanstack/react-query";
import { ask } from "@/app/_client/questions";
import type { RunSummary } from "@/server/domain/answers";
import { FigureStrip } from "./figure-strip";
import { GroupWaste } from "./group-waste";
import { LeftOut } from "./left-out";
import { ValidityBanner } from "./validity-banner";

/** Whether the run is a measurement, its figures, what they leave out, and what of its groups was wasted. */
export function RunFigures({ run }: { run: RunSummary }) {
  const breakdown = useQuery(ask.breakdown(run.id));
  return (
    <>
      <ValidityBanner run={run} />
      <FigureStrip run={run} />
      <LeftOut run={run} />
      <GroupWaste groups={breakdown.data?.groups} />
    </>
  );
}
