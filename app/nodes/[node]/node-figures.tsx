import Link from "next/link";
import { Figure } from "@/app/_ui/figure";
import { count, NOTHING, percent, plural, pValue, rateSize } from "@/app/_ui/format";
import { IntervalPlot } from "@/app/_ui/interval-plot";
import { fractionEnd } from "@/app/_ui/scale";
import { When } from "@/app/_ui/when";
import type { NodeDetail } from "@/server/domain/node-detail";
import { incidentsHref } from "../incidents-href";

/** The node in five figures. */
export function NodeFigures({ node, run }: { node: NodeDetail; run: string | null }) {
  return (
    <dl className="mb-8 grid grid-cols-2 overflow-hidden rounded-lg border sm:grid-cols-3 lg:grid-cols-[1.5fr_1fr_1.2fr_1fr_1.1fr]">
      <Lost node={node} run={run} />
      <Figure
        label="Expected by chance"
        value={node.expected === null ? NOTHING : node.expected.toFixed(1)}
        small="given each run and config"
      />
      <Figure
        label="q, over all nodes"
        value={node.q === null ? NOTHING : pValue(node.q)}
        small={node.p === null ? "not tested" : `p ${pValue(node.p)}, ${plural(node.tested, "node")} tested`}
      />
      <Figure
        label="Absorbed"
        value={
          <Link
            href={incidentsHref({ node: node.node, run, outcome: "absorbed" })}
            className="hover:text-acc"
            aria-label={`${node.absorbed} absorbed incidents`}
          >
            {count(node.absorbed)}
          </Link>
        }
        small="retries that saved a rollout"
      />
      <Figure
        label="Last rollout"
        value={<When at={node.lastAt} as="ago" />}
        small={`${plural(node.rollouts, "rollout")} of ${plural(node.runs, "run")}`}
      />
    </dl>
  );
}

function Lost({ node, run }: { node: NodeDetail; run: string | null }) {
  const rate = node.infraFailed;
  if (rate === null) return <Figure label="Lost to infrastructure" value={NOTHING} small="no finished rollout" />;
  const expected = node.expected === null || rate.n === 0 ? null : node.expected / rate.n;
  return (
    <Figure
      label="Lost to infrastructure"
      value={
        <Link href={incidentsHref({ node: node.node, run })} className="hover:text-acc" aria-label={`${rate.k} lost`}>
          {percent(rate.value)}
        </Link>
      }
      small={rateSize(rate)}
    >
      <IntervalPlot
        rate={rate}
        expected={expected}
        end={fractionEnd([rate.high, 0.25])}
        width={220}
        bad={node.verdict === "suspect"}
      />
    </Figure>
  );
}
