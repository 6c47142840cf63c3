import { Tag } from "@/app/_ui/tag";
import type { CanaryState } from "@/server/domain/canary";

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

export function StateTag({ state }: { state: CanaryState }) {
  return <Tag tone={TONE[state]}>{NAME[state]}</Tag>;
}
