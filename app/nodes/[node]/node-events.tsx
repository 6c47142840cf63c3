import { EvidenceLines } from "@/app/_ui/panel/evidence-lines";
import { Section } from "@/app/_ui/section";
import { Tag } from "@/app/_ui/tag";
import { When } from "@/app/_ui/when";
import type { NodeDetail } from "@/server/domain/node-detail";
import { NodeCanaries } from "./node-canaries";

/** What the cluster says of the node itself, and what our own canaries met there. */
export function NodeEvents({ node }: { node: NodeDetail }) {
  return (
    <div className="grid gap-x-10 lg:grid-cols-2">
      <Section title="Conditions and events" note="as Kubernetes says them" className="mb-8 min-w-0">
        {node.conditions.length === 0 && node.events.length === 0 ? (
          <p className="border-t py-2 text-mut">
            None was sent. <code className="mono">kubectl get nodes,events -A -o json | coalmine ingest -</code>
          </p>
        ) : (
          <div className="border-t pt-2">
            <ul className="mb-2 flex flex-col gap-0.5">
              {node.conditions.map((one) => (
                <li key={one.type} className="flex flex-wrap items-baseline gap-x-2">
                  <span>{one.type}</span>
                  <Tag tone={isBad(one) ? "bad" : "quiet"}>{one.status}</Tag>
                  <span className="ml-auto text-mut">
                    <When at={one.at} as="brief" />
                  </span>
                </li>
              ))}
            </ul>
            {node.events.length > 0 && <EvidenceLines lines={[...node.events].reverse()} />}
          </div>
        )}
      </Section>
      <NodeCanaries node={node} />
    </div>
  );
}

/** `Ready` should be true, all other conditions false. */
function isBad({ type, status }: NodeDetail["conditions"][number]): boolean {
  const yes = status.toLowerCase() === "true";
  return type === "Ready" ? !yes : yes;
}
