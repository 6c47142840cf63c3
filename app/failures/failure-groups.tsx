"use client";

import { Suspense, useMemo } from "react";
import { apiUrl } from "@/app/_client/api";
import { behind } from "@/app/_ui/behind";
import { ChartPlace } from "@/app/_ui/chart/chart-place";
import { Section } from "@/app/_ui/section";
import { CsvButton } from "@/app/_ui/table/csv-button";
import { DataTable } from "@/app/_ui/table/data-table";
import type { FailureDim, FailureGroup } from "@/server/domain/answers";
import type { TaxonomyClass } from "@/server/domain/product-answers";
import { failureColumns } from "./failure-columns";
import type { FailureFilter } from "./failure-parsers";
import { askedOf } from "./scope";

const TimeBars = behind(() => import("./time-bars").then((module) => module.TimeBars));

interface FailureGroupsProps {
  groups: readonly FailureGroup[];
  dims: readonly FailureDim[];
  filter: FailureFilter;
  classes: readonly TaxonomyClass[];
}

/** Incidents counted by the chosen dimensions; by time also as bars. */
export function FailureGroups({ groups, dims, filter, classes }: FailureGroupsProps) {
  const columns = useMemo(() => failureColumns({ groups, dims, filter, classes }), [groups, dims, filter, classes]);
  const timed = dims[0] === "hour" || dims[0] === "day";
  return (
    <>
      {timed && (
        <Suspense fallback={<ChartPlace height={160} />}>
          <TimeBars groups={groups} dim={dims[0] === "hour" ? "hour" : "day"} stacked={dims[1] === "family"} />
        </Suspense>
      )}
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
