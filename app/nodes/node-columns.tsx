import Link from "next/link";
import { familyTotal } from "@/app/_ui/families";
import { FamilyBar } from "@/app/_ui/family-mark";
import { count, NOTHING, percent } from "@/app/_ui/format";
import { IntervalPlot } from "@/app/_ui/interval-plot";
import { nodeNames } from "@/app/_ui/node-names";
import { NodeVerdict } from "@/app/_ui/node-verdict";
import type { Column } from "@/app/_ui/table/column";
import { When } from "@/app/_ui/when";
import type { CanaryNodeAnswer } from "@/server/domain/canary";
import type { JudgedNode } from "@/server/domain/node-judged";
import { nodeHref } from "./[node]/node-href";
import { canaryColumn } from "./canary-column";
import { incidentsHref } from "./incidents-href";

interface NodeColumnsGiven {
  /** Of all nodes of the list. */
  names: readonly string[];
  run: string | null;
  /** Right end of the axis. */
  end: number;
  /** Lost rollouts of the node that lost most. */
  most: number;
  /** What canaries met, by node. */
  canaries: readonly CanaryNodeAnswer[];
}

const VERDICT_RANK = { suspect: 3, watch: 2, ok: 1, too_little_data: 0 } as const;

/** How it stands against chance. */
const CHANCE: Column<JudgedNode>[] = [
  {
    id: "expected",
    head: "Expected",
    num: true,
    wide: true,
    sort: (node) => node.expected,
    cell: (node) => (node.expected === null ? NOTHING : node.expected.toFixed(1)),
  },
  {
    id: "q",
    head: (
      <abbr title="Permutation test, corrected over all nodes" className="no-underline">
        q
      </abbr>
    ),
    num: true,
    sort: (node) => (node.q === null ? null : -node.q),
    cell: (node) => (node.q === null ? NOTHING : node.q.toFixed(node.q < 0.0995 ? 3 : 2)),
  },
];

const SEEN: Column<JudgedNode>[] = [
  { id: "runs", head: "Runs", num: true, wide: true, sort: (node) => node.runs, cell: (node) => node.runs },
  {
    id: "last",
    head: "Last seen",
    num: true,
    wide: true,
    sort: (node) => node.lastAt,
    cell: (node) => <When at={node.lastAt} as="ago" />,
  },
];

/** What a line says of a node. */
export function nodeColumns({ names, run, end, most, canaries }: NodeColumnsGiven): Column<JudgedNode>[] {
  const { short } = nodeNames(names);
  return [
    {
      id: "node",
      head: "Node",
      rowHead: true,
      sort: (node) => node.node,
      cell: (node) => <Name node={node} name={short(node.node)} run={run} />,
    },
    {
      id: "verdict",
      head: "Verdict",
      sort: (node) => (node.verdict === null ? null : VERDICT_RANK[node.verdict]),
      cell: (node) => (
        <span title={node.sentence ?? undefined}>
          <NodeVerdict node={node} />
        </span>
      ),
    },
    {
      id: "lost",
      head: "Lost",
      num: true,
      sort: (node) => node.infraFailed?.k ?? null,
      cell: (node) => <Lost node={node} run={run} />,
    },
    {
      id: "share",
      head: <span>Share, 0 – {percent(end, 0)}</span>,
      wide: true,
      sort: (node) => node.infraFailed?.value ?? null,
      cell: (node) => <Share node={node} end={end} />,
    },
    ...CHANCE,
    {
      id: "families",
      head: "Families",
      wide: true,
      cell: (node) => <FamilyBar counts={node.byFamily} share={familyTotal(node.byFamily) / most} />,
    },
    {
      id: "absorbed",
      head: "Absorbed",
      num: true,
      wide: true,
      sort: (node) => node.absorbed,
      cell: (node) => <Absorbed node={node} run={run} />,
    },
    ...(canaries.length > 0 ? [canaryColumn(canaries)] : []),
    ...SEEN,
  ];
}

interface CellProps {
  node: JudgedNode;
  run: string | null;
}

function Name({ node, name, run }: CellProps & { name: string }) {
  return (
    <Link href={nodeHref(node.node, run)} title={node.node} data-open="" className="mono hover:text-acc">
      {name}
    </Link>
  );
}

function Lost({ node, run }: CellProps) {
  if (node.infraFailed === null) return <span className="text-mut">{NOTHING}</span>;
  const rows = run === null ? null : `/runs/${encodeURIComponent(run)}?node=${encodeURIComponent(node.node)}`;
  return (
    <>
      <Link
        href={rows === null ? incidentsHref({ node: node.node, run }) : `${rows}&verdict=infra_failed#rollouts`}
        aria-label={`${node.infraFailed.k} lost on ${node.node}`}
        className="rows-link hit"
      >
        {count(node.infraFailed.k)}
      </Link>
      {rows === null ? (
        <span className="text-mut">/{count(node.infraFailed.n)}</span>
      ) : (
        <Link
          href={`${rows}&verdict=all#rollouts`}
          aria-label={`All rollouts on ${node.node}`}
          className="hit text-left text-mut hover:text-acc"
        >
          /{count(node.infraFailed.n)}
        </Link>
      )}
    </>
  );
}

function Share({ node, end }: { node: JudgedNode; end: number }) {
  const n = node.infraFailed?.n ?? 0;
  return (
    <IntervalPlot
      rate={node.infraFailed}
      expected={node.expected === null || n === 0 ? null : node.expected / n}
      end={end}
      width={180}
      bad={node.verdict === "suspect"}
    />
  );
}

function Absorbed({ node, run }: CellProps) {
  if (node.absorbed === 0) return 0;
  return (
    <Link href={incidentsHref({ node: node.node, run, outcome: "absorbed" })} className="rows-link">
      {count(node.absorbed)}
    </Link>
  );
}
