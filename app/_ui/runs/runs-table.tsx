"use client";

import { useMemo } from "react";
import type { RunSummary } from "@/server/domain/answers";
import { fractionEnd } from "../scale";
import { DataTable } from "../table/data-table";
import { distinguishing } from "./distinguishing";
import { runColumns } from "./run-columns";

/** Runs, one a line: what they are, what they lost, what is left of the score. */
export function RunsTable({ runs, sortParam }: { runs: readonly RunSummary[]; sortParam?: string }) {
  const columns = useMemo(() => {
    const end = fractionEnd(runs.flatMap((run) => (run.infraFailed ? [run.infraFailed.high] : [])));
    return runColumns({ end, differs: distinguishing(runs) });
  }, [runs]);
  return (
    <DataTable caption="Runs" columns={columns} rows={runs} rowKey={(run) => run.id} opens sortParam={sortParam} />
  );
}
