import { FamilySwatch } from "@/app/_ui/family-mark";
import { NOTHING } from "@/app/_ui/format";
import { PanelLink } from "@/app/_ui/panel/panel-state";
import type { Column } from "@/app/_ui/table/column";
import { Tag } from "@/app/_ui/tag";
import { VerdictTag } from "@/app/_ui/verdict-tag";
import { When } from "@/app/_ui/when";
import type { RolloutAnswer } from "@/server/domain/answers";

const VERDICT: Column<RolloutAnswer> = {
  id: "verdict",
  head: "Verdict",
  wide: true,
  width: "92px",
  cell: (row) => <VerdictTag verdict={row.verdict} />,
};

/** Where it ran, what it got, when it ended. */
const OUTCOME: Column<RolloutAnswer>[] = [
  {
    id: "node",
    head: "Node",
    wide: true,
    width: "124px",
    cell: (row) => <span className="mono">{row.node ?? NOTHING}</span>,
  },
  {
    id: "reward",
    head: "Reward",
    num: true,
    wide: true,
    width: "66px",
    cell: (row) => rewardText(row.reward),
  },
  {
    id: "ended",
    head: "Ended",
    num: true,
    width: "124px",
    wide: true,
    cell: (row) => <When at={row.at} as="brief" />,
  },
];

function rewardText(reward: number | null): string {
  return reward === null ? NOTHING : String(Math.round(reward * 1000) / 1000);
}

/** What the other columns say, under the task where there is no room for them. */
function NarrowLines({ row }: { row: RolloutAnswer }) {
  return (
    <>
      <span className="flex items-center gap-2 text-small md:hidden">
        {row.family !== null && <FamilySwatch family={row.family} />}
        <span className="min-w-0 truncate">
          <VerdictTag verdict={row.verdict} /> {row.reason}
        </span>
      </span>
      <span className="flex gap-3 text-small text-mut md:hidden">
        <span className="mono">{row.node ?? "node not known"}</span>
        <span className="tabular">reward {rewardText(row.reward)}</span>
        <span className="ml-auto">
          <When at={row.at} as="brief" />
        </span>
      </span>
    </>
  );
}

/** What a line says of a rollout, its verdict where rows differ in it. A planned one without a record has nothing to open. */
export function rolloutColumns(run: string, verdict: boolean): Column<RolloutAnswer>[] {
  const page = `/runs/${encodeURIComponent(run)}`;
  return [
    {
      id: "task",
      head: "Task",
      rowHead: true,
      width: "23%",
      cell: (row) => (
        <>
          <span className="flex items-baseline gap-2">
            <span className="mono min-w-0 truncate" title={row.task}>
              {row.verdict === "missing" ? (
                row.task
              ) : (
                <PanelLink rollout={row.id} page={page} opensRow className="hover:text-acc">
                  {row.task}
                </PanelLink>
              )}
            </span>
            <span className="ml-auto text-small text-mut md:hidden">#{row.index}</span>
          </span>
          <NarrowLines row={row} />
        </>
      ),
    },
    { id: "index", head: "#", name: "Rollout index", num: true, wide: true, width: "40px", cell: (row) => row.index },
    ...(verdict ? [VERDICT] : []),
    {
      id: "reason",
      head: "What happened",
      wide: true,
      cell: (row) => (
        <span title={row.reason} className="flex items-center gap-2">
          {row.family !== null && <FamilySwatch family={row.family} />}
          <span className="truncate">{row.reason}</span>
          {row.suspect && <Tag tone="warn">suspect</Tag>}
        </span>
      ),
      width: "auto",
    },
    ...OUTCOME,
  ];
}
