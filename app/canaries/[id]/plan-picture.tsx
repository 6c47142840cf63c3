import type { ReactNode } from "react";
import type { PlanName, PlanResult } from "@/server/domain/canary";
import { AbPicture } from "./ab-picture";
import { BoundaryPicture } from "./boundary-picture";
import { GapCliff } from "./gap-cliff";
import { gapRows } from "./gap-rows";
import { MemoryPicture } from "./memory-picture";
import { NodePicture } from "./node-picture";
import { PlanNumbers } from "./plan-numbers";

interface PlanPictureProps {
  plan: PlanName;
  result: PlanResult | null;
  /** What was measured so far. */
  points: readonly Record<string, unknown>[];
}

/** Each plan's own picture; the others' figures as a list. */
export function PlanPicture({ plan, result, points }: PlanPictureProps): ReactNode {
  const detail = result?.detail ?? null;
  if (plan === "idle-gap") return <GapCliff rows={gapRows(detail, points)} detail={detail} />;
  if (detail === null || Object.keys(detail).length === 0) return null;
  if (plan === "idle-boundary") return <BoundaryPicture detail={detail} />;
  if (plan === "ab") return <AbPicture detail={detail} />;
  if (plan === "memory-limit") return <MemoryPicture detail={detail} />;
  if (plan === "node-check") return <NodePicture detail={detail} />;
  return <PlanNumbers plan={plan} detail={detail} />;
}
