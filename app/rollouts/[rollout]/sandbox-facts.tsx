import Link from "next/link";
import type { ReactNode } from "react";
import { duration } from "@/app/_ui/format";
import { FactList } from "@/app/_ui/panel/fact-list";
import { factText } from "@/app/_ui/panel/fact-text";
import { Section } from "@/app/_ui/section";
import { When } from "@/app/_ui/when";
import { nodeHref } from "@/app/nodes/[node]/node-href";
import type { RolloutDetail, SandboxAnswer } from "@/server/domain/rollout-detail";
import { nodeSource, sandboxFacts } from "./sandbox-words";

/** What Kubernetes and logs say of each sandbox that it used. */
export function SandboxFacts({ detail }: { detail: RolloutDetail }) {
  if (detail.sandboxes.length === 0) {
    return (
      <Section title="Sandbox" className="mb-8 min-w-0">
        <p className="border-t py-2 text-mut">
          No sandbox is known to be its. Pods with their labels tie them together:{" "}
          <code className="mono">kubectl get pods -A -o json | coalmine ingest -</code>
        </p>
      </Section>
    );
  }
  return (
    <div className="min-w-0">
      {detail.sandboxes.map((sandbox) => (
        <Section
          key={sandbox.id}
          title="Sandbox"
          note={<span className="mono [overflow-wrap:anywhere]">{sandbox.id}</span>}
        >
          <div className="border-t pt-2">
            <Facts sandbox={sandbox} />
          </div>
        </Section>
      ))}
    </div>
  );
}

function Facts({ sandbox }: { sandbox: SandboxAnswer }) {
  const { known, times, ageMs } = sandboxFacts(sandbox.facts);
  const pods = sandbox.pods.map((pod): readonly [string, ReactNode] => [
    "Pod UID",
    <span key={pod} className="mono">
      {pod}
    </span>,
  ]);
  const rest = known.map(({ name, title, value }): readonly [string, ReactNode] => [
    title,
    name === "node" ? (
      <span key={name}>
        <Link href={nodeHref(String(value))} className="rows-link mono">
          {String(value)}
        </Link>
        <span className="block text-small text-mut">{nodeSource(sandbox)}</span>
      </span>
    ) : (
      factText(name, value)
    ),
  ]);
  const moments = times.map(({ title, at }): readonly [string, ReactNode] => [title, <When key={title} at={at} />]);
  const age: [string, ReactNode][] = ageMs === null ? [] : [["Lived", duration(ageMs)]];
  if (pods.length + rest.length + moments.length === 0) {
    return <p className="text-mut">Nothing is known of it: neither its pod nor its events were sent.</p>;
  }
  return <FactList facts={[...rest, ...moments, ...age, ...pods]} />;
}
