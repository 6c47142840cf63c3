"use client";

import type { NodeDetail } from "@/server/domain/node-detail";
import { NodeClasses } from "./node-classes";
import { NodeCommands } from "./node-commands";
import { NodeEvents } from "./node-events";
import { NodeIncidents } from "./node-incidents";
import { NodeTestParts } from "./node-test-parts";

/** What to do about the node, and the evidence for it. */
export function NodeBelow({ node, run }: { node: NodeDetail; run: string | null }) {
  return (
    <>
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
