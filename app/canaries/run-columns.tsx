import Link from "next/link";
import { duration, NOTHING } from "@/app/_ui/format";
import type { Column } from "@/app/_ui/table/column";
import { When } from "@/app/_ui/when";
import type { CanarySummary } from "@/server/domain/canary";
import { StateTag } from "./state-tag";

export function tookMs(run: Pick<CanarySummary, "startedAt" | "endedAt">): number | null {
  return run.startedAt === null || run.endedAt === null ? null : Date.parse(run.endedAt) - Date.parse(run.startedAt);
}

export const RUN_COLUMNS: readonly Column<CanarySummary>[] = [
  { id: "at", head: "Asked", sort: (run) => run.createdAt, cell: (run) => <When at={run.createdAt} as="brief" /> },
  {
    id: "state",
    head: "State",
    sort: (run) => run.state,
    cell: (run) => <StateTag state={run.state} result={run.result} />,
  },
  {
    id: "plan",
    head: "Plan",
    rowHead: true,
    sort: (run) => run.plan,
    cell: (run) => (
      <Link href={`/canaries/${run.id}`} data-open="" className="whitespace-nowrap font-medium hover:underline">
        {run.plan}
      </Link>
    ),
  },
  {
    id: "target",
    head: "Target",
    sort: (run) => run.target,
    cell: (run) => <span className="whitespace-nowrap">{run.target}</span>,
  },
  {
    id: "sentence",
    head: "Result",
    wide: true,
    cell: (run) => <span className="text-mut">{run.result?.sentence ?? run.notes.at(-1) ?? NOTHING}</span>,
  },
  {
    id: "took",
    head: "Took",
    num: true,
    wide: true,
    sort: tookMs,
    cell: (run) => {
      const ms = tookMs(run);
      return ms === null ? NOTHING : duration(ms);
    },
  },
  {
    id: "by",
    head: "Asked by",
    wide: true,
    cell: (run) => <span className="whitespace-nowrap text-mut">{run.by}</span>,
  },
];
