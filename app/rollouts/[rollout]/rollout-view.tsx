"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { ask } from "@/app/_client/questions";
import { behind } from "@/app/_ui/behind";
import { CopyLink } from "@/app/_ui/copy-button";
import { FAMILY_NAME } from "@/app/_ui/families";
import { FamilySwatch } from "@/app/_ui/family-mark";
import { PageFrame } from "@/app/_ui/page-frame";
import { Section } from "@/app/_ui/section";
import { Shown, Skeleton, SkeletonRows } from "@/app/_ui/states";
import { VERDICT_NAME } from "@/app/_ui/verdicts";
import type { RolloutDetail } from "@/server/domain/rollout-detail";
import { reasonParts, taskHref } from "./certificate";

// Drawn on the server too; their code comes behind the first paint.
const Timeline = behind(() => import("./timeline").then((module) => module.Timeline));
const RolloutBelow = behind(() => import("./rollout-below").then((module) => module.RolloutBelow));

/** Why one rollout ended as it did. */
export function RolloutView({ id }: { id: string }) {
  const answer = useQuery(ask.rollout(id));
  const detail = answer.data;
  const run = detail?.run ?? null;
  return (
    <PageFrame
      trail={[
        { name: "Runs", href: "/runs" },
        ...(run === null ? [] : [{ name: run, href: `/runs/${encodeURIComponent(run)}` }]),
        { name: detail ? `${detail.task} #${detail.index}` : "Rollout" },
      ]}
      actions={<CopyLink />}
    >
      {detail === undefined && <h1 className="sr-only">Rollout</h1>}
      <Shown what="This rollout" answer={answer} loading={<Loading />}>
        {(known) => <Certificate detail={known} />}
      </Shown>
    </PageFrame>
  );
}

function Loading() {
  return (
    <div role="status">
      <span className="sr-only">Loading the rollout</span>
      <Skeleton height={56} className="mb-2 max-w-[760px]" />
      <Skeleton height={20} className="mb-6 max-w-[760px]" />
      <Skeleton height={160} className="mb-8" />
      <SkeletonRows rows={12} />
    </div>
  );
}

function Certificate({ detail }: { detail: RolloutDetail }) {
  return (
    <>
      <Headline detail={detail} />
      <Timeline detail={detail} />
      <RolloutBelow detail={detail} />
    </>
  );
}

/** The verdict and why, in words. */
function Headline({ detail }: { detail: RolloutDetail }) {
  const { head, rest } = reasonParts(detail.reason);
  const task = taskHref(detail);
  return (
    <div className="mb-6 max-w-[900px]">
      <h1 className="text-title font-semibold tracking-[-0.015em] [overflow-wrap:anywhere]">
        <span
          className={detail.verdict === "infra_failed" ? "text-bad" : detail.verdict === "passed" ? "text-good" : ""}
        >
          {VERDICT_NAME[detail.verdict]}
        </span>
        {`: ${head}`}
      </h1>
      {rest && <p className="mt-1 [overflow-wrap:anywhere]">{rest}</p>}
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-mut">
        {detail.class && detail.family && (
          <span className="inline-flex items-center gap-1.5">
            <FamilySwatch family={detail.family} /> {FAMILY_NAME[detail.family]}{" "}
            <span className="mono">{detail.class}</span>
          </span>
        )}
        {detail.node && <span>on {detail.node}</span>}
        {task && (
          <Link href={task} className="rows-link">
            all rollouts of {detail.task}
          </Link>
        )}
      </p>
      {detail.error && (
        <Section title="Error" note="as the record says it" className="mt-4">
          <p className="mono max-h-52 overflow-y-auto rounded-md bg-sub px-3 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
            {detail.error}
          </p>
        </Section>
      )}
    </div>
  );
}
