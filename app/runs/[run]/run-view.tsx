"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { Live } from "@/app/_client/live";
import { ask } from "@/app/_client/questions";
import { behind } from "@/app/_ui/behind";
import { buttonLook } from "@/app/_ui/button";
import { CopyLink } from "@/app/_ui/copy-button";
import { DemoTag } from "@/app/_ui/demo-tag";
import { PageFrame } from "@/app/_ui/page-frame";
import { Sentence } from "@/app/_ui/sentence";
import { Shown, Skeleton, SkeletonRows } from "@/app/_ui/states";
import { Chip } from "@/app/_ui/tag";
import { compareHref } from "@/app/compare/compare-parsers";
import type { RunSummary } from "@/server/domain/answers";
import { ROWS_ID } from "./row-filter";
import { RunMenu } from "./run-menu";

// Drawn on the server too; their code comes behind the first paint.
const RunFigures = behind(() => import("./run-figures").then((module) => module.RunFigures));
const RunCauses = behind(() => import("./run-causes").then((module) => module.RunCauses));
const RunTimeline = behind(() => import("./run-timeline").then((module) => module.RunTimeline));
// The same, below the first screen.
const RunBelow = behind(() => import("./run-below").then((module) => module.RunBelow));
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
      <RunFigures run={run} />
      <Shown what="What failed" answer={breakdown} loading={<SkeletonRows rows={9} />}>
        {({ classes, timeline }) => (
          <>
            <RunCauses run={run} classes={classes} />
            <RunTimeline run={run.id} timeline={timeline} />
          </>
        )}
      </Shown>
      <RunBelow run={run} breakdown={breakdown.data} />
      <RolloutRows run={run} breakdown={breakdown.data} />
    </>
  );
}
