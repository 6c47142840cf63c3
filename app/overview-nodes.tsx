import Link from "next/link";
import { FamilyBar } from "@/app/_ui/family-mark";
import { count, NOTHING } from "@/app/_ui/format";
import { nodeNames } from "@/app/_ui/node-names";
import { NodeVerdict } from "@/app/_ui/node-verdict";
import { Section } from "@/app/_ui/section";
import { SkeletonRows } from "@/app/_ui/states";
import { nodeHref } from "@/app/nodes/[node]/node-href";
import type { NodeAnswer } from "@/server/domain/answers";
import type { JudgedNode } from "@/server/domain/node-judged";

const SHOWN = 6;
/** Height of a row of the table, so that nothing below moves when it comes. */
const ROW_PX = 29;

function isJudged(node: NodeAnswer): node is JudgedNode {
  return "verdict" in node;
}

/** The nodes that lost most beyond what was to be expected; `pending` while they are counted and tested. */
export function WorstNodes({ nodes, pending }: { nodes: readonly NodeAnswer[]; pending: boolean }) {
  const shown = nodes.filter((node) => node.rollouts > 0).slice(0, SHOWN);
  const { short } = nodeNames(shown.map((node) => node.node));
  return (
    <Section
      title="Nodes to look at"
      note="most beyond expected"
      className="mb-8 min-w-0"
      actions={
        <Link href="/nodes" className="rows-link">
          All nodes
        </Link>
      }
    >
      {pending ? (
        <SkeletonRows rows={SHOWN + 1} height={ROW_PX} />
      ) : shown.length === 0 ? (
        <p className="border-t py-2 text-mut">
          No rollout is known to have run on a node. Pods say where:{" "}
          <code className="mono">kubectl get pods -A -o json | coalmine ingest -</code>
        </p>
      ) : (
        <table className="grid-table">
          <caption className="sr-only">Nodes that lost most beyond what was to be expected</caption>
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col" className="num">
                Lost
              </th>
              <th scope="col" className="num">
                Expected
              </th>
              <th scope="col" className="w-36 max-sm:hidden">
                Families
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((node) => (
              <NodeRow key={node.node} node={node} name={short(node.node)} />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function NodeRow({ node, name }: { node: NodeAnswer; name: string }) {
  return (
    <tr>
      <th scope="row">
        <Link href={nodeHref(node.node)} title={node.node} className="mono hover:text-acc">
          {name}
        </Link>{" "}
        {isJudged(node) && <NodeVerdict node={node} quiet />}
      </th>
      <td className="num">
        <Link href={`/failures?node=${encodeURIComponent(node.node)}&outcome=fatal#incidents`} className="rows-link">
          {count(node.infraFailed?.k ?? 0)}
        </Link>
        <span className="text-mut">/{count(node.infraFailed?.n ?? 0)}</span>
      </td>
      <td className="num text-mut">{node.expected === null ? NOTHING : node.expected.toFixed(1)}</td>
      <td className="max-sm:hidden">
        <FamilyBar counts={node.byFamily} />
      </td>
    </tr>
  );
}
