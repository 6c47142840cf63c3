"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useCallback, useMemo } from "react";
import { apiUrl } from "@/app/_client/api";
import { ask } from "@/app/_client/questions";
import { ChartPlace } from "@/app/_ui/chart/chart-place";
import { CopyLink } from "@/app/_ui/copy-button";
import { PageFrame } from "@/app/_ui/page-frame";
import { Section } from "@/app/_ui/section";
import { Sentence } from "@/app/_ui/sentence";
import { Empty, Shown, SkeletonRows } from "@/app/_ui/states";
import { CsvButton } from "@/app/_ui/table/csv-button";
import { DataTable } from "@/app/_ui/table/data-table";
import type { FailureDim, FailureGroup } from "@/server/domain/answers";
import type { TaxonomyClass } from "@/server/domain/product-answers";
import { dimsOf } from "./dims";
import { failureColumns } from "./failure-columns";
import { FailureFilters } from "./failure-filters";
import { type FailureFilter, FILTER_PARSERS } from "./failure-parsers";
import { sentenceOfFailures } from "./failures-sentence";
import { askedOf } from "./scope";

const TimeBars = dynamic(() => import("./time-bars").then((module) => module.TimeBars), {
  ssr: false,
  loading: () => <ChartPlace height={160} />,
});
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
            <Groups groups={items} dims={dims} filter={filter} classes={taxonomy.data?.items ?? []} />
          )
        }
      </Shown>
      <Unexplained filter={filter} />
      <IncidentRows filter={filter} />
    </PageFrame>
  );
}

interface GroupsProps {
  groups: readonly FailureGroup[];
  dims: readonly FailureDim[];
  filter: FailureFilter;
  classes: readonly TaxonomyClass[];
}

function Groups({ groups, dims, filter, classes }: GroupsProps) {
  const columns = useMemo(() => failureColumns({ groups, dims, filter, classes }), [groups, dims, filter, classes]);
  const timed = dims[0] === "hour" || dims[0] === "day";
  return (
    <>
      {timed && <TimeBars groups={groups} dim={dims[0] === "hour" ? "hour" : "day"} stacked={dims[1] === "family"} />}
      <Section
        title={`By ${dims.join(" and ")}`}
        note="incidents; fatal ones ended a rollout, absorbed ones did not"
        actions={
          <CsvButton url={apiUrl("/failures", { ...askedOf(filter), by: dims })} fileName="coalmine-failures.csv" />
        }
      >
        <DataTable
          caption={`Failures by ${dims.join(" and ")}`}
          columns={columns}
          rows={groups}
          rowKey={(group) => JSON.stringify(group.key)}
          sortParam="sort"
        />
      </Section>
    </>
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
      <Empty title="No incident is known.">
        Either nothing failed, or its evidence was not sent:{" "}
        <code className="mono">coalmine ingest logs/ rollouts.jsonl</code>
      </Empty>
    </div>
  );
}
