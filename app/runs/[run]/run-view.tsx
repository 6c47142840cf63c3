"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { Live } from "@/app/_client/live";
import { ask } from "@/app/_client/questions";
import { buttonLook } from "@/app/_ui/button";
import { ChartPlace } from "@/app/_ui/chart/chart-place";
import { CopyLink } from "@/app/_ui/copy-button";
import { DemoTag } from "@/app/_ui/demo-note";
import { PageFrame } from "@/app/_ui/page-frame";
import { Sentence } from "@/app/_ui/sentence";
import { Shown, Skeleton, SkeletonRows } from "@/app/_ui/states";
import { Chip } from "@/app/_ui/tag";
import { compareHref } from "@/app/compare/compare-parsers";
import type { RunSummary } from "@/server/domain/answers";
import { ClassTable } from "./class-table";
import { FigureStrip } from "./figure-strip";
import { GroupWaste } from "./group-waste";
import { LeftOut } from "./left-out";
import { NodePlot } from "./node-plot";
import { ROWS_ID } from "./row-filter";
import { RunMenu } from "./run-menu";
import { ValidityBanner } from "./validity-banner";

const RunTimeline = dynamic(() => import("./run-timeline").then((module) => module.RunTimeline), {
  ssr: false,
  loading: () => <ChartPlace height={150} />,
});
// Below the first screen: drawn on the server too, its code comes behind the first paint.
const RunBelow = dynamic(() => import("./run-below").then((module) => module.RunBelow));
// Its place is held, so that a link to it finds it.
const RolloutRows = dynamic(() => import("./rollout-rows").then((module) => module.RolloutRows), {
  ssr: false,
  loading: () => (
    <div id={ROWS_ID} className="min-h-dvh">
      <SkeletonRows rows={14} />
    </div>
  ),
});

/** Can this run be trusted, and what took its rollouts? */
export function RunView({ id }: { id: string }) {
  const answer = useQuery(ask.run(id));
  const run = answer.data;
  return (
    <PageFrame
      trail={[{ name: "Runs", href: "/runs" }, { name: run?.name ?? id }]}
      chips={run && <RunChips run={run} />}
      actions={
        <>
          <CopyLink />
          <Link href={compareHref({ baseline: id })} className={buttonLook({ look: "primary" })}>
            Compare…
          </Link>
          {run && <RunMenu run={run} />}
        </>
      }
    >
      <Shown what="This run" answer={answer} loading={<Loading />}>
        {(known) => <Known run={known} />}
      </Shown>
      <Live />
    </PageFrame>
  );
}

function RunChips({ run }: { run: RunSummary }) {
  return (
    <>
      {run.origin === "demo" && <DemoTag />}
      {Object.entries(run.labels)
        .slice(0, 4)
        .map(([name, value]) => (
          <Chip key={name} title={`${name}: ${value}`}>
            {name} {value}
          </Chip>
        ))}
    </>
  );
}

function Loading() {
  return (
    <div role="status">
      <span className="sr-only">Loading the run</span>
      <Skeleton height={56} className="mb-2 max-w-[760px]" />
      <Skeleton height={40} className="mb-5 max-w-[760px]" />
      <Skeleton height={96} className="mb-10" />
      <div className="grid gap-10 lg:grid-cols-2">
        <SkeletonRows rows={8} />
        <SkeletonRows rows={8} />
      </div>
    </div>
  );
}

function Known({ run }: { run: RunSummary }) {
  const breakdown = useQuery(ask.breakdown(run.id));
  return (
    <>
      <Sentence text={run.sentence} lead={run.lead} />
      <ValidityBanner run={run} />
      <FigureStrip run={run} />
      <LeftOut run={run} />
      <GroupWaste groups={breakdown.data?.groups} />
      <Shown what="What failed" answer={breakdown} loading={<SkeletonRows rows={9} />}>
        {({ classes, timeline }) => (
          <>
            <div className="grid gap-x-10 lg:grid-cols-[1fr_1.12fr]">
              <ClassTable run={run.id} classes={classes} />
              <NodePlot run={run} />
            </div>
            <RunTimeline run={run.id} timeline={timeline} />
          </>
        )}
      </Shown>
      <RunBelow run={run} breakdown={breakdown.data} />
      <RolloutRows run={run} breakdown={breakdown.data} />
    </>
  );
}
