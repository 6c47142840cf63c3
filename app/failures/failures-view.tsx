"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useCallback, useMemo } from "react";
import { ask } from "@/app/_client/questions";
import { behind } from "@/app/_ui/behind";
import { CopyLink } from "@/app/_ui/copy-button";
import { NothingSent } from "@/app/_ui/nothing-sent";
import { PageFrame } from "@/app/_ui/page-frame";
import { Sentence } from "@/app/_ui/sentence";
import { Empty, Shown, SkeletonRows } from "@/app/_ui/states";
import { dimsOf } from "./dims";
import { type FailureFilter, FILTER_PARSERS } from "./failure-parsers";
import { sentenceOfFailures } from "./failures-sentence";
import { askedOf } from "./scope";

// Drawn on the server too; their code comes behind the first paint.
const FailureFilters = behind(() => import("./failure-filters").then((module) => module.FailureFilters));
const FailureGroups = behind(() => import("./failure-groups").then((module) => module.FailureGroups));
const Unexplained = dynamic(() => import("./unexplained").then((module) => module.Unexplained), { ssr: false });
// Below the first screen; their place is held, so that a link to them finds it.
const IncidentRows = dynamic(() => import("./incident-rows").then((module) => module.IncidentRows), {
  ssr: false,
  loading: () => (
    <div id="incidents" className="min-h-dvh">
      <SkeletonRows rows={14} />
    </div>
  ),
});

/** All incidents, cut by up to two dimensions, and listed below. */
export function FailuresView() {
  const [{ by, ...filter }, setState] = useQueryStates(FILTER_PARSERS);
  const dims = useMemo(() => dimsOf(by), [by]);
  const asked = askedOf(filter);
  const answer = useQuery(ask.failures(dims, asked));
  const taxonomy = useQuery(ask.taxonomy());
  const runs = useQuery(ask.runs());
  const change = useCallback(
    (part: Partial<FailureFilter> & { by?: string | null }) => void setState(part),
    [setState],
  );
  const groups = answer.data?.pending ? undefined : answer.data?.items;
  return (
    <PageFrame trail={[{ name: "Failures" }]} actions={<CopyLink />}>
      <Sentence text={groups ? sentenceOfFailures(groups, filter) : "Failures"} />
      <FailureFilters
        dims={dims}
        filter={filter}
        change={change}
        classes={taxonomy.data?.items ?? []}
        runs={runs.data?.items ?? []}
      />
      <Shown what="The failures" answer={answer} loading={<SkeletonRows rows={10} />}>
        {({ items, pending }) =>
          pending ? (
            <SkeletonRows rows={10} />
          ) : items.length === 0 ? (
            <NoFailures filter={filter} />
          ) : (
            <FailureGroups groups={items} dims={dims} filter={filter} classes={taxonomy.data?.items ?? []} />
          )
        }
      </Shown>
      <Unexplained filter={filter} />
      <IncidentRows filter={filter} />
    </PageFrame>
  );
}

function NoFailures({ filter }: { filter: FailureFilter }) {
  if (Object.values(filter).some((value) => value !== null)) {
    return (
      <div className="mb-8">
        <Empty title="No incident matches these filters." />
      </div>
    );
  }
  return (
    <div className="mb-8">
      <NothingSent title="No incident is known." command="coalmine ingest logs/ rollouts.jsonl">
        Either nothing failed, or its evidence was not sent:
      </NothingSent>
    </div>
  );
}
