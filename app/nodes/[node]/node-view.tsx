"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { ask } from "@/app/_client/questions";
import { Banner } from "@/app/_ui/banner";
import { Choice } from "@/app/_ui/choice";
import { CopyLink } from "@/app/_ui/copy-button";
import { NodeVerdict } from "@/app/_ui/node-verdict";
import { PageFrame } from "@/app/_ui/page-frame";
import { Sentence } from "@/app/_ui/sentence";
import { Shown, Skeleton, SkeletonRows } from "@/app/_ui/states";
import type { NodeDetail } from "@/server/domain/node-detail";
import { NodeClasses } from "./node-classes";
import { NodeCommands } from "./node-commands";
import { NodeEvents } from "./node-events";
import { NodeFigures } from "./node-figures";
import { NodeIncidents } from "./node-incidents";
import { NodeTestParts } from "./node-test-parts";
import { NodeTimeline } from "./node-timeline";
import { nodeHeadline } from "./node-words";

/** Is it this node, and what to do about it? */
export function NodeView({ node }: { node: string }) {
  const [run, setRun] = useQueryState("run", parseAsString);
  const answer = useQuery(ask.node(node, run));
  const runs = useQuery(ask.runs());
  const options = (runs.data?.items ?? []).map((one) => ({ value: one.id, label: one.name, n: one.rollouts }));
  return (
    <PageFrame
      trail={[{ name: "Nodes", href: "/nodes" }, { name: node }]}
      chips={answer.data && <NodeVerdict node={answer.data} />}
      actions={<CopyLink />}
    >
      {answer.data === undefined && <h1 className="sr-only">Node {node}</h1>}
      <Shown what="This node" answer={answer} loading={<Loading />}>
        {(known) => (
          <>
            <Sentence text={nodeHeadline(known)} lead={known.sentence ?? undefined} />
            {known.fleetWide && (
              <Banner>Fleet-wide, not a node: more than a third of the nodes stand out alike.</Banner>
            )}
            <div className="mb-4">
              <Choice
                label="Judged by"
                any="All runs"
                value={run}
                options={options}
                onChange={(next) => void setRun(next)}
              />
            </div>
            <Known node={known} run={run} />
          </>
        )}
      </Shown>
    </PageFrame>
  );
}

function Loading() {
  return (
    <div role="status">
      <span className="sr-only">Loading the node</span>
      <Skeleton height={56} className="mb-2 max-w-[760px]" />
      <Skeleton height={20} className="mb-5 max-w-[760px]" />
      <Skeleton height={92} className="mb-8" />
      <Skeleton height={190} className="mb-8" />
      <SkeletonRows rows={8} />
    </div>
  );
}

function Known({ node, run }: { node: NodeDetail; run: string | null }) {
  return (
    <>
      <NodeFigures node={node} run={run} />
      <NodeTimeline node={node} run={run} />
      <NodeCommands node={node} />
      <div className="grid gap-x-10 lg:grid-cols-2">
        <NodeClasses node={node} run={run} />
        <NodeTestParts node={node} />
      </div>
      <NodeIncidents node={node} />
      <NodeEvents node={node} />
    </>
  );
}
