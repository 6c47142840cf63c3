import Link from "next/link";
import { Figure, PendingFigure } from "@/app/_ui/figure";
import { count, NOTHING, percent, percentRange, plural, rateSize } from "@/app/_ui/format";
import { IntervalPlot } from "@/app/_ui/interval-plot";
import { fractionEnd } from "@/app/_ui/scale";
import type { RunSummary } from "@/server/domain/answers";
import { RowsLink } from "./rows-link";

/** The run in five figures, each with its size and uncertainty, each a way to its rows. */
export function FigureStrip({ run }: { run: RunSummary }) {
  return (
    <dl className="mb-3 grid grid-cols-2 overflow-hidden rounded-lg border sm:grid-cols-3 lg:grid-cols-[1.4fr_1.35fr_1.2fr_.95fr_1.1fr]">
      <Lost run={run} />
      <PassAt1 run={run} />
      <Reward run={run} />
      <Delivered run={run} />
      <Absorbed run={run} />
    </dl>
  );
}

function Lost({ run }: { run: RunSummary }) {
  const rate = run.infraFailed;
  if (rate === null) return <Figure label="Lost to infrastructure" value={NOTHING} small="no rollout has finished" />;
  return (
    <Figure
      label="Lost to infrastructure"
      value={
        <RowsLink
          run={run.id}
          filter={{ verdict: "infra_failed" }}
          className="hover:text-acc"
          label={`${rate.k} lost rollouts`}
        >
          {percent(rate.value)}
        </RowsLink>
      }
      small={rateSize(rate)}
    >
      <IntervalPlot rate={rate} end={fractionEnd([rate.high, 0.25])} width={220} bad={rate.k > 0} />
    </Figure>
  );
}

function PassAt1({ run }: { run: RunSummary }) {
  const { asReported, infraExcluded, bounds } = run.passAt1;
  const label = "pass@1 reported → infra excluded";
  if (asReported === null && run.pending) return <PendingFigure label={label} />;
  if (asReported === null) return <Figure label={label} value={NOTHING} small="no scored rollout" />;
  return (
    <Figure
      label={label}
      value={
        <RowsLink run={run.id} filter={{ verdict: "passed" }} className="hover:text-acc" label="Passed rollouts">
          {(asReported.value * 100).toFixed(1)} → {infraExcluded === null ? NOTHING : percent(infraExcluded.value)}
        </RowsLink>
      }
      small={`${bounds === null ? "" : `bounds ${percentRange(bounds[0], bounds[1])} · `}${plural(asReported.n, "task")}`}
    />
  );
}

function Reward({ run }: { run: RunSummary }) {
  const { asReported, infraExcluded } = run.meanReward;
  if (asReported === null && run.pending) return <PendingFigure label="Mean reward" />;
  if (asReported === null) return <Figure label="Mean reward" value={NOTHING} small="no rollout has a reward" />;
  const shown = infraExcluded ?? asReported;
  const range = shown.low === null || shown.high === null ? "" : `${shown.low.toFixed(2)}–${shown.high.toFixed(2)}, `;
  return (
    <Figure
      label="Mean reward, infra excluded"
      value={
        <RowsLink run={run.id} filter={{ verdict: "all" }} className="hover:text-acc" label="All rollouts">
          {asReported.value.toFixed(3)} → {infraExcluded === null ? NOTHING : infraExcluded.value.toFixed(3)}
        </RowsLink>
      }
      small={range + plural(shown.n, "rollout")}
    />
  );
}

function Delivered({ run }: { run: RunSummary }) {
  const open = run.missing || run.notFinished;
  const small =
    run.planned === null
      ? "planned size not known"
      : `of ${count(run.planned)} planned${open ? `, ${count(open)} ${run.missing ? "missing" : "not finished"}` : ""}`;
  return (
    <Figure
      label="Delivered"
      value={
        <RowsLink
          run={run.id}
          filter={{ verdict: "all" }}
          className="hover:text-acc"
          label={`All ${run.rollouts} rollouts`}
        >
          {count(run.rollouts)}
        </RowsLink>
      }
      small={
        run.missing ? (
          <RowsLink run={run.id} filter={{ verdict: "missing" }}>
            {small}
          </RowsLink>
        ) : (
          small
        )
      }
    />
  );
}

function Absorbed({ run }: { run: RunSummary }) {
  return (
    <Figure
      label="Absorbed"
      value={
        <Link
          href={`/failures?run=${encodeURIComponent(run.id)}&outcome=absorbed#incidents`}
          className="hover:text-acc"
          aria-label={`${run.absorbed} absorbed incidents`}
        >
          {count(run.absorbed)}
        </Link>
      }
      small="retries that saved a rollout"
    />
  );
}
