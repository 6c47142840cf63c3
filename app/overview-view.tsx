"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { Live } from "@/app/_client/live";
import { ask } from "@/app/_client/questions";
import { behind } from "@/app/_ui/behind";
import { CopyLink } from "@/app/_ui/copy-button";
import { plural } from "@/app/_ui/format";
import { PageFrame } from "@/app/_ui/page-frame";
import { RunsTable } from "@/app/_ui/runs/lazy-runs-table";
import { Section } from "@/app/_ui/section";
import { Sentence } from "@/app/_ui/sentence";
import { Shown, Skeleton, SkeletonRows } from "@/app/_ui/states";
import type { Overview } from "@/server/domain/answers";
import { CanaryLights } from "./overview-canaries";

// Its words are drawn on the server, so that nothing below moves when the picture comes.
const DayBars = behind(() => import("./overview-days").then((module) => module.DayBars));
const OpenFindings = dynamic(() => import("./overview-findings").then((module) => module.OpenFindings), {
  ssr: false,
  loading: () => <SkeletonRows rows={8} height={46} />,
});
// Below the first screen: drawn on the server too, its code comes behind the first paint.
const OverviewBelow = behind(() => import("./overview-below").then((module) => module.OverviewBelow));
const Welcome = behind(() => import("./welcome").then((module) => module.Welcome));

/** What infrastructure took lately, and where to look first. */
export function OverviewView({ address }: { address: string }) {
  const answer = useQuery(ask.overview());
  return (
    <PageFrame trail={[{ name: "Overview" }]} actions={answer.data && !answer.data.empty && <CopyLink />}>
      <Shown what="The overview" answer={answer} loading={<Loading />}>
        {(overview) => (overview.empty ? <Welcome address={address} /> : <Known overview={overview} />)}
      </Shown>
      <Live />
    </PageFrame>
  );
}

function Loading() {
  return (
    <div role="status">
      <span className="sr-only">Loading the overview</span>
      <Skeleton height={56} className="mb-8 max-w-[760px]" />
      <Skeleton height={190} className="mb-8" />
      <SkeletonRows rows={8} />
    </div>
  );
}

function Known({ overview }: { overview: Overview }) {
  return (
    <>
      <Sentence text={overview.sentence} lead={leadOf(overview)} />
      <CanaryLights />
      <DayBars days={overview.days} />
      <Section
        title="Newest runs"
        actions={
          <Link href="/runs" className="rows-link">
            All runs
          </Link>
        }
      >
        <RunsTable runs={overview.runs} />
      </Section>
      <div className="grid gap-x-10 lg:grid-cols-[1.12fr_1fr]">
        <OpenFindings runs={overview.runs} />
        <OverviewBelow overview={overview} />
      </div>
    </>
  );
}

/** What the sentence does not say: runs that are no measurement, records that could not be read. */
function leadOf({ runs, unreadable }: Overview): string {
  const invalid = runs.filter((run) => !run.valid.ok && run.infraFailed !== null).length;
  const parts: string[] = [];
  if (invalid > 0)
    parts.push(`${plural(invalid, "of the newest runs is", "of the newest runs are")} no valid measurement.`);
  if (unreadable > 0) parts.push(`${plural(unreadable, "record")} of the last deliveries could not be read.`);
  return parts.join(" ");
}
