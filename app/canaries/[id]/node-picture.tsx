import Link from "next/link";
import { percent, pValue, rateSize } from "@/app/_ui/format";
import { IntervalPlot } from "@/app/_ui/interval-plot";
import { fractionEnd } from "@/app/_ui/scale";
import { Section } from "@/app/_ui/section";
import { Tag } from "@/app/_ui/tag";
import { nodeHref } from "@/app/nodes/[node]/node-href";
import type { Rate } from "@/server/domain/rate";

interface NodeRow {
  node: string;
  infraFailed: Rate;
  expected: number;
  q: number;
  verdict: "suspect" | "watch" | "ok" | "too_little_data";
  sentence: string;
}

const VERDICT = {
  suspect: ["bad", "suspect"],
  watch: ["warn", "watch"],
  ok: ["good", "ok"],
  too_little_data: ["plain", "too little data"],
} as const;

/** Every node that canaries met, worst first, against what chance would give it. */
export function NodePicture({ detail }: { detail: Record<string, unknown> }) {
  const nodes = (detail.nodes ?? []) as NodeRow[];
  const notes = (detail.notes ?? []) as string[];
  const end = fractionEnd(nodes.map((node) => node.infraFailed.high));
  return (
    <Section title="By node" note="share of cycles that failed; expected dashed">
      <div className="scroll-x">
        <table className="grid-table">
          <caption className="sr-only">Failed cycles by node</caption>
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col">{`Share, 0 – ${percent(end, 0)}`}</th>
              <th scope="col" className="num">
                Failed
              </th>
              <th scope="col" className="num">
                q
              </th>
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
            {nodes.map((node) => (
              <tr key={node.node} title={node.sentence}>
                <th scope="row">
                  <Link href={nodeHref(node.node)} className="mono rows-link">
                    {node.node}
                  </Link>
                </th>
                <td>
                  <IntervalPlot
                    rate={node.infraFailed}
                    end={end}
                    width={280}
                    expected={node.infraFailed.n > 0 ? node.expected / node.infraFailed.n : null}
                    bad={node.verdict === "suspect"}
                  />
                </td>
                <td className="num">{rateSize(node.infraFailed)}</td>
                <td className="num text-mut">{pValue(node.q)}</td>
                <td>
                  <Tag tone={VERDICT[node.verdict][0]}>{VERDICT[node.verdict][1]}</Tag>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {notes.map((note) => (
        <p key={note} className="mt-1 text-mut">
          {note}
        </p>
      ))}
    </Section>
  );
}
