"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { apiUrl } from "@/app/_client/api";
import { ask } from "@/app/_client/questions";
import { Button } from "@/app/_ui/button";
import { fileStem } from "@/app/_ui/chart/save-blob";
import { useOpened } from "@/app/_ui/panel/panel-state";
import { Empty } from "@/app/_ui/states";
import { PagedSection } from "@/app/_ui/table/paged-section";
import { ALL } from "@/app/_ui/verdicts";
import type { RolloutAnswer, RunBreakdown, RunSummary } from "@/server/domain/answers";
import { MaskLinks } from "./mask-links";
import { rolloutColumns } from "./rollout-columns";
import { RolloutFilters } from "./rollout-filters";
import { ROWS_ID, useRowFilter } from "./row-filter";
import { NO_FILTER, type RowFilter, rowsAsked } from "./row-parsers";

interface RolloutRowsProps {
  run: RunSummary;
  breakdown: RunBreakdown | undefined;
}

/** The run's rollouts, one a line, under the filters of the URL. */
export function RolloutRows({ run, breakdown }: RolloutRowsProps) {
  const { filter, change, replace } = useRowFilter();
  const lost = run.infraFailed?.k ?? 0;
  const asked = rowsAsked(filter, lost);
  const answer = useInfiniteQuery(ask.rollouts(run.id, asked));
  const { rollout } = useOpened();
  const columns = useMemo(() => rolloutColumns(run.id, asked.verdict === null), [run.id, asked.verdict]);
  const csv = apiUrl(`/runs/${encodeURIComponent(run.id)}/rollouts`, asked);
  return (
    <PagedSection
      id={ROWS_ID}
      title={asked.verdict === "infra_failed" ? "Lost rollouts" : "Rollouts"}
      what="The rollouts"
      answer={answer}
      csv={{ url: csv, fileName: `${fileStem(run.id, "rollouts")}.csv` }}
      actions={lost > 0 && <MaskLinks run={run.id} />}
      filters={<RolloutFilters run={run} breakdown={breakdown} filter={filter} change={change} replace={replace} />}
      empty={<NoRows filter={filter} onAll={() => replace({ verdict: ALL })} run={run.id} />}
      caption={`Rollouts of ${run.name}`}
      columns={columns}
      rowKey={idOf}
      opens
      even
      selected={rollout}
    />
  );
}

const idOf = (row: RolloutAnswer) => row.id;

function NoRows({ filter, onAll, run }: { filter: RowFilter; onAll(): void; run: string }) {
  const filtered = Object.keys(NO_FILTER).some((name) => filter[name as keyof RowFilter] !== null);
  if (filtered) {
    return (
      <Empty title="No rollout matches these filters.">
        <Button className="mt-2" onClick={onAll}>
          Show all rollouts
        </Button>
      </Empty>
    );
  }
  return (
    <Empty title="No rollouts of this run have arrived.">
      Send its rollout file: <code className="mono">{`coalmine ingest --run ${run} rollouts.jsonl`}</code>
    </Empty>
  );
}
