"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { ask } from "@/app/_client/questions";
import { behind } from "@/app/_ui/behind";
import { CopyLink } from "@/app/_ui/copy-button";
import { NodeVerdict } from "@/app/_ui/node-verdict";
import { PageFrame } from "@/app/_ui/page-frame";
import { Sentence } from "@/app/_ui/sentence";
import { Shown, Skeleton, SkeletonRows } from "@/app/_ui/states";
import { nodeHeadline } from "./node-headline";

// Drawn on the server too; its code comes behind the first paint.
const NodeCase = behind(() => import("./node-case").then((module) => module.NodeCase));

/** Is it this node, and what to do about it? */
export function NodeView({ node }: { node: string }) {
  const [run, setRun] = useQueryState("run", parseAsString);
  const answer = useQuery(ask.node(node, run));
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
            <NodeCase node={known} run={run} onRun={(next) => void setRun(next)} />
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
