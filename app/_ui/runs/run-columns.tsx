import Link from "next/link";
import type { RunSummary } from "@/server/domain/answers";
import type { Mean } from "@/server/domain/rate";
import { DemoTag } from "../demo-tag";
import { FamilyBar } from "../family-mark";
import { count, NOTHING, percent, rateSize } from "../format";
import { IntervalPlot } from "../interval-plot";
import type { Column } from "../table/column";
import { Chip, Tag } from "../tag";
import { When } from "../when";
import { type Setting, shortPath } from "./distinguishing";

const href = (run: RunSummary) => `/runs/${encodeURIComponent(run.id)}`;

interface RunColumnsGiven {
  /** Right end of the axis of the interval bars. */
  end: number;
  differs: ReadonlyMap<string, readonly Setting[]>;
}

/** As reported → without what infrastructure took. */
const scores: Column<RunSummary>[] = [
  {
    id: "pass",
    head: "pass@1",
    num: true,
    wide: true,
    sort: (run) => run.passAt1.asReported?.value ?? null,
    cell: (run) => (
      <Pair
        from={run.passAt1.asReported}
        to={run.passAt1.infraExcluded}
        show={(value) => `${(value * 100).toFixed(1)}`}
        unit=" %"
      />
    ),
  },
  {
    id: "reward",
    head: "Reward",
    num: true,
    wide: true,
    sort: (run) => run.meanReward.asReported?.value ?? null,
    cell: (run) => (
      <Pair
        from={run.meanReward.asReported}
        to={run.meanReward.infraExcluded}
        show={(value) => value.toFixed(3)}
        unit=""
      />
    ),
  },
];

/** What a line says of a run. */
export function runColumns({ end, differs }: RunColumnsGiven): Column<RunSummary>[] {
  return [
    {
      id: "name",
      head: "Run",
      rowHead: true,
      sort: (run) => run.name,
      cell: (run) => <Name run={run} settings={differs.get(run.id) ?? []} />,
    },
    {
      id: "rollouts",
      head: "Rollouts",
      num: true,
      wide: true,
      sort: (run) => run.rollouts,
      cell: (run) => <Size run={run} />,
    },
    {
      id: "lost",
      head: "Lost",
      num: true,
      sort: (run) => run.infraFailed?.value ?? null,
      cell: (run) => <Lost run={run} />,
    },
    {
      id: "interval",
      head: `0 – ${percent(end, 0)}`,
      wide: true,
      cell: (run) => <IntervalPlot rate={run.infraFailed} end={end} width={90} bad={!run.valid.ok} />,
    },
    { id: "families", head: "Families", wide: true, cell: (run) => <FamilyBar counts={run.byFamily} /> },
    ...scores,
    {
      id: "valid",
      head: "Valid",
      wide: true,
      sort: (run) => (run.valid.ok ? 1 : 0),
      cell: (run) => <Valid run={run} />,
    },
    {
      id: "ended",
      head: "Ended",
      num: true,
      wide: true,
      sort: (run) => run.endedAt ?? run.startedAt,
      cell: (run) => <Ended run={run} />,
    },
  ];
}

function Name({ run, settings }: { run: RunSummary; settings: readonly Setting[] }) {
  return (
    <span className="flex flex-col gap-0.5 py-0.5 lg:min-w-[200px] min-[1400px]:min-w-[350px]">
      <span className="flex items-center gap-x-2 max-md:flex-wrap">
        <Link href={href(run)} data-open="" className="font-medium hover:text-acc">
          {run.name}
        </Link>
        {run.origin === "demo" && <DemoTag />}
      </span>
      <span className="flex flex-wrap items-baseline gap-x-2 text-small text-mut md:hidden">
        <Valid run={run} />
        <Ended run={run} />
      </span>
      {settings.length > 0 && (
        <span className="flex flex-wrap gap-1 max-sm:hidden">
          {settings.map(({ path, value }) => (
            <Chip key={path} title={`${path}: ${value}`} small>
              {shortPath(path)} {String(value)}
            </Chip>
          ))}
        </span>
      )}
    </span>
  );
}

function Size({ run }: { run: RunSummary }) {
  return (
    <Link
      href={`${href(run)}?verdict=all#rollouts`}
      className="rows-link"
      aria-label={`${run.rollouts} rollouts of ${run.name}`}
    >
      {count(run.rollouts)}
      {run.planned !== null && <span className="text-mut">/{count(run.planned)}</span>}
    </Link>
  );
}

function Lost({ run }: { run: RunSummary }) {
  if (run.infraFailed === null) return <span className="text-mut">{NOTHING}</span>;
  return (
    <span className="flex flex-col leading-[17px]">
      <Link href={`${href(run)}?verdict=infra_failed#rollouts`} className="font-medium hover:text-acc">
        {percent(run.infraFailed.value)}
      </Link>
      <span className="text-tiny text-mut">{rateSize(run.infraFailed)}</span>
    </span>
  );
}

function Pair({
  from,
  to,
  show,
  unit,
}: {
  from: Mean | null;
  to: Mean | null;
  show(value: number): string;
  unit: string;
}) {
  if (from === null) return <span className="text-mut">{NOTHING}</span>;
  const title = `reported over ${from.n}, infra excluded over ${to?.n ?? 0}`;
  return <span title={title}>{`${show(from.value)} → ${to === null ? NOTHING : show(to.value)}${unit}`}</span>;
}

function Valid({ run }: { run: RunSummary }) {
  if (run.valid.ok) return <Tag tone="good">valid</Tag>;
  return (
    <Tag tone={run.infraFailed === null ? "plain" : "bad"} title={run.valid.reason ?? undefined}>
      {run.infraFailed === null ? "nothing yet" : "not valid"}
    </Tag>
  );
}

function Ended({ run }: { run: RunSummary }) {
  return run.endedAt === null ? <Tag tone="plain">running</Tag> : <When at={run.endedAt} as="ago" />;
}
