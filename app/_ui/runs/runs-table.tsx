"use client";

import { useMemo } from "react";
import type { RunSummary } from "@/server/domain/answers";
import { fractionEnd } from "../scale";
import type { Column } from "../table/column";
import { DataTable } from "../table/data-table";
import { distinguishing } from "./distinguishing";
import { runColumns } from "./run-columns";

interface RunsTableProps {
  runs: readonly RunSummary[];
  sortParam?: string;
  /** A column before all others. */
  first?: Column<RunSummary>;
}

/** Runs, one a line: what they are, what they lost, what is left of the score. */
export function RunsTable({ runs, sortParam, first }: RunsTableProps) {
  const columns = useMemo(() => {
    const end = fractionEnd(runs.flatMap((run) => (run.infraFailed ? [run.infraFailed.high] : [])));
    const columns = runColumns({ end, differs: distinguishing(runs) });
    return first === undefined ? columns : [first, ...columns];
  }, [runs, first]);
  return (
    <DataTable caption="Runs" columns={columns} rows={runs} rowKey={(run) => run.id} opens sortParam={sortParam} />
  );
}
