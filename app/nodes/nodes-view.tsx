"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsString, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { ask } from "@/app/_client/questions";
import { behind } from "@/app/_ui/behind";
import { ChartPlace } from "@/app/_ui/chart/chart-place";
import { CopyLink } from "@/app/_ui/copy-button";
import { NothingSent } from "@/app/_ui/nothing-sent";
import { PageFrame } from "@/app/_ui/page-frame";
import { SearchField } from "@/app/_ui/search-field";
import { Sentence } from "@/app/_ui/sentence";
import { Empty, Shown, Skeleton, SkeletonRows } from "@/app/_ui/states";
import type { JudgedNode, JudgedNodes } from "@/server/domain/node-judged";
import { HEAT_ROW_PX, HEAT_ROWS } from "./heat";
import { FleetWide, RunChoice } from "./run-choice";

const Heatmap = dynamic(() => import("./heatmap").then((module) => module.Heatmap), {
  ssr: false,
  loading: () => <ChartPlace height={280} />,
});
// Drawn on the server too; its code comes behind the first paint.
const NodeRows = behind(() => import("./node-rows").then((module) => module.NodeRows));
const PARSERS = { run: parseAsString, text: parseAsString };

/** Which node lost rollouts beyond chance, and since when. */
export function NodesView() {
  const [state, setState] = useQueryStates(PARSERS);
  const answer = useQuery(ask.nodes(state.run));
  return (
    <PageFrame trail={[{ name: "Nodes" }]} actions={<CopyLink />}>
      <Shown what="The nodes" answer={answer} loading={<Loading />}>
        {(nodes) => (
          <>
            <Sentence text={nodes.sentence} />
            <FleetWide so={nodes.fleetWide} />
            <div className="mb-4 flex flex-wrap gap-1.5">
              <RunChoice label="Run" value={state.run} onChange={(run) => void setState({ run })} />
              <SearchField label="Node name holds" value={state.text} onChange={(text) => void setState({ text })} />
            </div>
            <Known nodes={nodes} text={state.text} run={state.run} />
          </>
        )}
      </Shown>
    </PageFrame>
  );
}

function Loading() {
  return (
    <div role="status">
      <span className="sr-only">Loading the nodes</span>
      <Skeleton height={32} className="mb-5 max-w-[700px]" />
      <Counting />
    </div>
  );
}

/** Holds the places of the heatmap and of the table. */
function Counting() {
  return (
    <>
      <Skeleton height={280} className="mb-8" />
      <SkeletonRows rows={10} />
    </>
  );
}

function Known({ nodes, text, run }: { nodes: JudgedNodes; text: string | null; run: string | null }) {
  const shown = useMemo(() => nodes.items.filter((node) => node.node.includes(text ?? "")), [nodes.items, text]);
  if (nodes.items.length === 0 && nodes.pending) return <Counting />;
  if (nodes.items.length === 0) {
    return (
      <NothingSent title="No node is known yet." command="kubectl get pods -A -o json | coalmine ingest -">
        Pods, events and collectors name them:
      </NothingSent>
    );
  }
  if (shown.length === 0) return <Empty title="No node matches." />;
  return (
    <>
      {/* Its height is known before its code is there: nothing below moves when it comes. */}
      <div style={{ minHeight: heatHeight(shown) }}>
        <Heatmap nodes={shown} run={run} />
      </div>
      <NodeRows nodes={shown} run={run} />
    </>
  );
}

/** Px that the heatmap takes with its title and summary. */
function heatHeight(nodes: readonly JudgedNode[]): number {
  const rows = Math.min(HEAT_ROWS, nodes.filter((node) => node.hours.length > 0).length);
  return rows === 0 ? 0 : rows * HEAT_ROW_PX + 106;
}
