"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { apiUrl } from "@/app/_client/api";
import { ask } from "@/app/_client/questions";
import { Button } from "@/app/_ui/button";
import { PlotPng } from "@/app/_ui/chart/plot-png";
import { fileStem } from "@/app/_ui/chart/save-blob";
import { count, NOTHING, percent, plural } from "@/app/_ui/format";
import { IntervalPlot } from "@/app/_ui/interval-plot";
import { nodeNames } from "@/app/_ui/node-names";
import { NodeVerdict } from "@/app/_ui/node-verdict";
import { fractionEnd } from "@/app/_ui/scale";
import { Section } from "@/app/_ui/section";
import { Shown, SkeletonRows } from "@/app/_ui/states";
import { CsvButton } from "@/app/_ui/table/csv-button";
import { nodeHref } from "@/app/nodes/[node]/node-href";
import type { RunSummary } from "@/server/domain/answers";
import type { JudgedNode, JudgedNodes } from "@/server/domain/node-judged";
import { RowsLink } from "./rows-link";

const FIRST = 9;
const WIDTH = 240;

/** Each node's share of lost rollouts against what this run would lead to expect. */
export function NodePlot({ run }: { run: RunSummary }) {
  const answer = useQuery(ask.nodes(run.id));
  const known = (answer.data?.items ?? []).filter((one) => one.rollouts > 0);
  const suspects = known.filter((one) => one.verdict === "suspect").length;
  const end = fractionEnd(known.flatMap((one) => (one.infraFailed ? [one.infraFailed.high] : [])));
  return (
    <Section
      title="By node"
      note="95 % interval, dashed: expected from this run"
      className="mb-8 min-w-0"
      actions={
        <>
          {suspects > 0 && <span>{`${suspects} of ${known.length} suspect`}</span>}
          <CsvButton url={apiUrl("/nodes", { run: run.id })} fileName={`${fileStem(run.id, "nodes")}.csv`} />
          <PlotPng
            fileName={["nodes", run.id]}
            end={end}
            rows={known.map((one) => ({ name: one.node, ...plotOf(one) }))}
          />
        </>
      }
    >
      <Shown what="The nodes" answer={answer} loading={<SkeletonRows rows={FIRST} />}>
        {(answered) =>
          known.length === 0 ? <NoNodes /> : <Plot run={run} known={known} end={end} answered={answered} />
        }
      </Shown>
    </Section>
  );
}

function NoNodes() {
  return (
    <p className="border-t py-2 text-mut">
      No rollout is known to have run on a node. Pods say where:{" "}
      <code className="mono">kubectl get pods -A -o json | coalmine ingest -</code>
    </p>
  );
}

interface PlotProps {
  run: RunSummary;
  known: readonly JudgedNode[];
  end: number;
  answered: JudgedNodes;
}

function Plot({ run, known, end, answered }: PlotProps) {
  const [all, setAll] = useState(false);
  const names = nodeNames(known.map((one) => one.node));
  return (
    <>
      <table className="grid-table table-fixed">
        <caption className="sr-only">Nodes of the run with rollouts lost, most excess first</caption>
        <thead>
          <tr>
            <th scope="col">Node</th>
            <th scope="col" className="num w-[76px]">
              Lost
            </th>
            <th scope="col" className="w-[44%] max-sm:hidden">
              <span className="flex justify-between gap-2">
                <span>Share lost, 0</span> <span>{percent(end, 0)}</span>
              </span>
            </th>
            <th scope="col" className="num w-[52px]" title="p of the permutation test, corrected over all nodes">
              q
            </th>
          </tr>
        </thead>
        <tbody>
          {(all ? known : known.slice(0, FIRST)).map((one) => (
            <NodeRow key={one.node} run={run.id} one={one} name={names.short(one.node)} end={end} />
          ))}
        </tbody>
      </table>
      <p className="mt-1.5 text-small text-mut">{answered.sentence}</p>
      <p className="flex flex-wrap items-center gap-2 text-small text-mut">
        {known.length > FIRST && (
          <Button look="quiet" size="small" className="-ml-1.5" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show all ${known.length}`}
          </Button>
        )}
        {run.unattributed > 0 && <span>{plural(run.unattributed, "rollout")} without a known node, not shown.</span>}
        {names.domain !== "" && <span className="break-all">Names without {names.domain}</span>}
      </p>
    </>
  );
}

/** What a row of the plot draws: `expected` is turned into a share of the node's finished rollouts. */
function plotOf(one: JudgedNode) {
  const n = one.infraFailed?.n ?? 0;
  return {
    rate: one.infraFailed,
    expected: one.expected === null || n === 0 ? null : one.expected / n,
    bad: one.verdict === "suspect",
  };
}

interface NodeRowProps {
  run: string;
  one: JudgedNode;
  /** The node's name, as far as the list needs it. */
  name: string;
  end: number;
}

function NodeRow({ run, one, name, end }: NodeRowProps) {
  const { node } = one;
  return (
    <tr>
      <th scope="row" title={one.sentence ?? undefined} className="mono">
        <span className="flex items-center gap-1.5">
          <Link href={nodeHref(node, run)} title={node} className="truncate hover:text-acc">
            {name}
          </Link>
          <NodeVerdict node={one} quiet />
        </span>
      </th>
      <td className="num">
        <RowsLink
          run={run}
          filter={{ verdict: "infra_failed", node }}
          label={`Lost rollouts on ${node}`}
          className="rows-link hit"
        >
          {count(one.infraFailed?.k ?? 0)}
        </RowsLink>
        <RowsLink
          run={run}
          filter={{ verdict: "all", node }}
          className="hit text-left text-mut hover:text-acc"
          label={`All rollouts on ${node}`}
        >
          /{count(one.infraFailed?.n ?? one.rollouts)}
        </RowsLink>
      </td>
      <td className="max-sm:hidden">
        <IntervalPlot {...plotOf(one)} end={end} width={WIDTH} />
      </td>
      <td className="num text-mut">{one.q === null ? NOTHING : one.q.toFixed(one.q < 0.0995 ? 3 : 2)}</td>
    </tr>
  );
}
