"use client";

import type { RolloutDetail } from "@/server/domain/rollout-detail";
import { RolloutFacts } from "./rollout-facts";
import { RolloutIncidents } from "./rollout-incidents";
import { SandboxFacts } from "./sandbox-facts";
import { SiblingAttempts } from "./sibling-attempts";

/** What is known of the rollout and its sandboxes, and how its other attempts ended. */
export function RolloutBelow({ detail }: { detail: RolloutDetail }) {
  return (
    <>
      <div className="grid gap-x-10 lg:grid-cols-2">
        <div className="min-w-0">
          <RolloutFacts detail={detail} />
          <RolloutIncidents detail={detail} />
        </div>
        <SandboxFacts detail={detail} />
      </div>
      <SiblingAttempts detail={detail} />
    </>
  );
}
