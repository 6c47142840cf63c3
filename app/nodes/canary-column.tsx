import Link from "next/link";
import { NOTHING, percentRange } from "@/app/_ui/format";
import type { Column } from "@/app/_ui/table/column";
import { Tag } from "@/app/_ui/tag";
import { When } from "@/app/_ui/when";
import type { CanaryNodeAnswer } from "@/server/domain/canary";
import type { JudgedNode } from "@/server/domain/node-judged";

/** The newest canary cycle on a node, and its failed cycles of all; in no other column. */
export function canaryColumn(met: readonly CanaryNodeAnswer[]): Column<JudgedNode> {
  const byNode = new Map(met.map((one) => [one.node, one]));
  return {
    id: "canary",
    head: "Canary",
    num: true,
    wide: true,
    sort: ({ node }) => byNode.get(node)?.failed.value ?? null,
    cell: ({ node }) => <Met met={byNode.get(node)} />,
  };
}

function Met({ met }: { met: CanaryNodeAnswer | undefined }) {
  const last = met?.newest[0];
  if (!met || !last) return <span className="text-mut">{NOTHING}</span>;
  const { k, n, low, high } = met.failed;
  return (
    <span className="inline-flex items-center gap-1.5" title={`${k} of ${n} canary cycles failed`}>
      <Link
        href={`/canaries/${last.run}`}
        aria-label={`Newest canary on ${met.node}: ${last.ok ? "passed" : "failed"}`}
      >
        <Tag tone={last.ok ? "good" : "bad"}>{last.ok ? "passed" : "failed"}</Tag>
      </Link>
      <span className="text-mut">
        <When at={last.at} as="ago" />
      </span>
      {k}/{n}
      <span className="text-mut">{percentRange(low, high)}</span>
    </span>
  );
}
