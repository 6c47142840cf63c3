"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { ask } from "@/app/_client/questions";
import { behind } from "@/app/_ui/behind";
import { CopyButton, CopyLink } from "@/app/_ui/copy-button";
import { DemoTag } from "@/app/_ui/demo-tag";
import { NothingSent } from "@/app/_ui/nothing-sent";
import { PageFrame } from "@/app/_ui/page-frame";
import { Shown, Skeleton, SkeletonRows } from "@/app/_ui/states";
import type { CompareAnswer } from "@/server/compare/answer";
import type { RunSummary } from "@/server/domain/answers";
import { COMPARE_PARSERS, type ComparePair, pairOf } from "./compare-parsers";
import { headline } from "./compare-text";

// Drawn on the server too; their code comes behind the first paint.
const Pickers = behind(() => import("./pickers").then((module) => module.Pickers));
const CompareMetrics = behind(() => import("./compare-metrics").then((module) => module.CompareMetrics));
const CompareBelow = behind(() => import("./compare-below").then((module) => module.CompareBelow));

/** Did the change help? */
export function CompareView() {
  const [state, setState] = useQueryStates(COMPARE_PARSERS);
  const runs = useQuery(ask.runs());
  const pair = pairOf(state);
  return (
    <PageFrame trail={[{ name: "Compare" }]} actions={<CopyLink />}>
      <Shown what="The runs" answer={runs} loading={<Loading />}>
        {({ items }) => (
          <>
            {pair === null && <Unchosen runs={items} />}
            <Pickers
              runs={items}
              baseline={state.baseline}
              candidate={state.candidate}
              onChange={(next) => void setState(next)}
            />
            {pair && <Comparison pair={pair} runs={items} />}
          </>
        )}
      </Shown>
    </PageFrame>
  );
}

function Unchosen({ runs }: { runs: readonly RunSummary[] }) {
  return (
    <div className="mb-5">
      <h1 className="mb-3 text-title font-semibold tracking-[-0.015em]">Which two runs?</h1>
      {runs.length < 2 ? (
        <NothingSent
          title={runs.length === 0 ? "No runs yet; comparing takes two." : "Only one run is here; comparing takes two."}
          command="coalmine ingest --run my-run rollouts.jsonl"
        >
          Send {runs.length === 0 ? "them" : "another"}:
        </NothingSent>
      ) : (
        <p className="text-mut">
          The baseline is what there was, the candidate what was changed. Runs over the same tasks say most: their
          rollouts pair.
        </p>
      )}
    </div>
  );
}

function Comparison({ pair, runs }: { pair: ComparePair; runs: readonly RunSummary[] }) {
  const [state, setState] = useQueryStates(COMPARE_PARSERS);
  const answer = useQuery({
    ...ask.compare(pair.baseline, pair.candidate, state.paired),
    // Switching what differences rest on must not blank the page; another run must.
    placeholderData: (before, query) =>
      query?.queryKey[1].includes(sideQuery(pair)) ? keepPreviousData(before) : undefined,
  });
  const demo = runs.some((run) => run.origin === "demo" && (run.id === pair.baseline || run.id === pair.candidate));
  return (
    <>
      {answer.data === undefined && <h1 className="sr-only">Two runs compared</h1>}
      <Shown what="The comparison" answer={answer} loading={<Loading />}>
        {(known) => (
          <>
            <Verdict answer={known} demo={demo} />
            <CompareMetrics answer={known} paired={state.paired} onPaired={(paired) => void setState({ paired })} />
            <CompareBelow answer={known} moved={state.moved} onMoved={(moved) => void setState({ moved })} />
          </>
        )}
      </Shown>
    </>
  );
}

function sideQuery({ baseline, candidate }: ComparePair): string {
  return new URLSearchParams({ baseline, candidate }).toString();
}

/** The sentence to quote. */
function Verdict({ answer, demo }: { answer: CompareAnswer; demo: boolean }) {
  const { word, rest } = headline(answer.sentence);
  const tone = answer.verdict === "better" ? "text-good" : answer.verdict === "worse" ? "text-bad" : "";
  return (
    <div className="mb-5 max-w-[900px]">
      <h1 className="text-title font-semibold tracking-[-0.015em]">
        <span className={tone}>{word}</span>
        {rest}
      </h1>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 text-mut">
        {demo && <DemoTag />}
        <span>
          {answer.baseline.name} → {answer.candidate.name}
        </span>
        <CopyButton text={answer.sentence} what="sentence" label="Copy sentence" />
      </p>
    </div>
  );
}

function Loading() {
  return (
    <div role="status">
      <span className="sr-only">Loading the comparison</span>
      <Skeleton height={56} className="mb-6 max-w-[860px]" />
      <Skeleton height={30} className="mb-6 max-w-[420px]" />
      <SkeletonRows rows={5} height={66} />
    </div>
  );
}
