"use client";

import type { NodeDetail } from "@/server/domain/node-detail";
import { FleetWide, RunChoice } from "../run-choice";
import { NodeClasses } from "./node-classes";
import { NodeCommands } from "./node-commands";
import { NodeEvents } from "./node-events";
import { NodeFigures } from "./node-figures";
import { NodeIncidents } from "./node-incidents";
import { NodeTestParts } from "./node-test-parts";
import { NodeTimeline } from "./node-timeline";

interface NodeCaseProps {
  node: NodeDetail;
  /** By which it is judged; null: all. */
  run: string | null;
  onRun(run: string | null): void;
}

/** The node in figures, when it lost rollouts, what to do about it, and the evidence. */
export function NodeCase({ node, run, onRun }: NodeCaseProps) {
  return (
    <>
      <FleetWide so={node.fleetWide} />
      <div className="mb-4">
        <RunChoice label="Judged by" value={run} onChange={onRun} />
      </div>
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
