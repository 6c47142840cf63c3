"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { API } from "@/app/_client/api";
import { Live } from "@/app/_client/live";
import { ask } from "@/app/_client/questions";
import { behind } from "@/app/_ui/behind";
import { CopyLink } from "@/app/_ui/copy-button";
import { plural } from "@/app/_ui/format";
import { NothingSent } from "@/app/_ui/nothing-sent";
import { PageFrame } from "@/app/_ui/page-frame";
import { RunsTable } from "@/app/_ui/runs/lazy-runs-table";
import { SearchField } from "@/app/_ui/search-field";
import { Sentence } from "@/app/_ui/sentence";
import { Empty, Shown, SkeletonRows } from "@/app/_ui/states";
import { CsvButton } from "@/app/_ui/table/csv-button";
import type { RunSummary } from "@/server/domain/answers";
import { matching } from "./matching";
import { pickColumn, usePicked } from "./pick-runs";
import { sentenceOfRuns } from "./runs-sentence";

const ComparePicked = behind(() => import("./compare-picked").then((module) => module.ComparePicked));

/** All runs, comparable at a glance. */
export function RunsView() {
  const answer = useQuery(ask.runs());
  const { picked, toggle } = usePicked();
  const actions = (
    <>
      <CopyLink />
      {(answer.data?.items.length ?? 0) > 1 && <ComparePicked picked={picked} runs={answer.data?.items ?? []} />}
    </>
  );
  return (
    <PageFrame trail={[{ name: "Runs" }]} actions={actions}>
      <Shown what="The runs" answer={answer} loading={<SkeletonRows rows={10} height={48} />}>
        {({ items }) => (items.length === 0 ? <NoRuns /> : <Known runs={items} picked={picked} toggle={toggle} />)}
      </Shown>
      <Live />
    </PageFrame>
  );
}

interface KnownProps {
  runs: readonly RunSummary[];
  picked: readonly string[];
  toggle(id: string): void;
}

function Known({ runs, picked, toggle }: KnownProps) {
  const [text, setText] = useQueryState("text", parseAsString);
  const shown = useMemo(() => runs.filter((run) => matching(run, text)), [runs, text]);
  const pick = useMemo(() => pickColumn(picked, toggle), [picked, toggle]);
  return (
    <>
      <Sentence text={sentenceOfRuns(runs)} />
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <SearchField label="Name, label or setting holds" value={text} onChange={(next) => void setText(next)} />
        <span className="ml-auto text-small text-mut">{plural(shown.length, "run")}</span>
        <CsvButton url={`${API}/runs`} fileName="coalmine-runs.csv" />
      </div>
      {shown.length === 0 ? (
        <Empty title="No run matches." />
      ) : (
        <RunsTable runs={shown} sortParam="sort" first={runs.length > 1 ? pick : undefined} />
      )}
    </>
  );
}

function NoRuns() {
  return (
    <>
      <Sentence text="No runs yet." />
      <NothingSent
        title="A run appears with its first rollout record or log."
        command="coalmine ingest --run my-run rollouts.jsonl"
      >
        Rollout files of any harness, a job's folder, or logs:
      </NothingSent>
    </>
  );
}
