import { Tag } from "@/app/_ui/tag";
import type { CanaryState, PlanResult } from "@/server/domain/canary";

const TONE = {
  queued: "plain",
  running: "plain",
  cancelling: "warn",
  passed: "good",
  failed: "bad",
  cancelled: "plain",
  interrupted: "warn",
  error: "warn",
} as const;

const NAME: Record<CanaryState, string> = {
  queued: "Queued",
  running: "Running",
  cancelling: "Cancelling",
  passed: "Passed",
  failed: "Failed",
  cancelled: "Cancelled",
  interrupted: "Interrupted",
  error: "Our own error",
};

interface StateTagProps {
  state: CanaryState;
  /** Where it is known: a run of which all was left out has shown nothing. */
  result?: Pick<PlanResult, "ok" | "trials"> | null;
}

export function StateTag({ state, result = null }: StateTagProps) {
  const trials = result?.trials ?? null;
  if (state === "passed" && result?.ok !== true && trials !== null && trials.n === 0 && trials.ownFaults > 0) {
    return (
      <Tag tone="warn" title="All of it was left out: our own trouble, not the target's.">
        Nothing counted
      </Tag>
    );
  }
  return <Tag tone={TONE[state]}>{NAME[state]}</Tag>;
}
