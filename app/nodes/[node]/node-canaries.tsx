"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { count, percent, rateSize } from "@/app/_ui/format";
import { IntervalPlot } from "@/app/_ui/interval-plot";
import { fractionEnd } from "@/app/_ui/scale";
import { Section } from "@/app/_ui/section";
import { Tag } from "@/app/_ui/tag";
import { When } from "@/app/_ui/when";
import { askCanaries } from "@/app/canaries/canary-questions";
import type { CanaryNodeAnswer, CanaryOnNode } from "@/server/domain/canary";
import type { NodeDetail } from "@/server/domain/node-detail";

const SHOWN = 6;

/** What our own workload met on the node; in none of the figures above. */
export function NodeCanaries({ node }: { node: NodeDetail }) {
  const items = useQuery(askCanaries.nodes()).data?.items ?? [];
  const met = items.find((one) => one.node === node.node);
  return (
    <Section title="Canaries" note="our own workload on it, in no other figure" className="mb-8 min-w-0">
      <div className="border-t py-2">
        {met ? <Met met={met} /> : <p className="text-mut">{noneText(node.canary)}</p>}
      </div>
    </Section>
  );
}

/** Runs are kept for a while only; their failures longer. */
function noneText(failures: NodeDetail["canary"]): string {
  if (failures === null) return "No canary has run there.";
  return `Failures of canaries there: ${count(failures.incidents)}. The runs themselves are no longer kept.`;
}

function Met({ met: { failed, newest } }: { met: CanaryNodeAnswer }) {
  return (
    <>
      <p className="mb-2 flex flex-wrap items-center gap-x-3">
        <b className="font-medium">{percent(failed.value)} of cycles failed</b>
        <span className="text-mut">{rateSize(failed)}</span>
        <IntervalPlot rate={failed} end={fractionEnd([failed.high])} width={140} bad={failed.k > 0} />
      </p>
      <ul className="flex flex-col gap-0.5">
        {newest.slice(0, SHOWN).map((one) => (
          <li key={`${one.run} ${one.at}`} className="flex flex-wrap items-baseline gap-x-2">
            <Went one={one} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Went({ one: { ok, failed, run, plan, target, at } }: { one: CanaryOnNode }) {
  return (
    <>
      <Tag tone={ok ? "good" : "bad"}>{ok ? "passed" : "failed"}</Tag>
      <Link href={`/canaries/${run}`} className="rows-link">
        {plan} on {target}
      </Link>
      {failed && <span className="text-mut">{[failed.step, failed.class].filter(Boolean).join(": ")}</span>}
      <span className="ml-auto text-mut">
        <When at={at} as="brief" />
      </span>
    </>
  );
}
