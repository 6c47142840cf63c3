/** Which success makes an earlier failure absorbed: the same operation went well afterwards. */
import type { Observation } from "@/server/domain/facts";
import type { Chain } from "./chains";

/** A create's success long after its failure is another create's. */
const CREATE_REACH_MS = 300_000;

const CREATE_CLASSES =
  /^(control\.(create_timeout|ready_check_failed|unschedulable|rate_limited|api_throttled|api_error)|pod\.(image_pull|start_failed|network_setup))$/;
const EXEC_CLASSES = /^(transport|proxy|gateway|exec)\./;

/** The first success after the chain's last failure that proves its operation went well, or null. `successes` in time order. */
export function successOf(
  chain: Pick<Chain, "class" | "failures">,
  successes: readonly Observation[],
): Observation | null {
  const last = chain.failures.at(-1);
  if (!last) return null;
  return successes.find((success) => isAfter(success, last) && proves(chain.class, last, success)) ?? null;
}

function isAfter(success: Observation, failure: Observation): boolean {
  // Not by line where both have a time: the same records in another order must give the same answer.
  if (success.at !== null && failure.at !== null) return success.at >= failure.at;
  return success.source === failure.source && success.line > failure.line;
}

function proves(failedClass: string, failure: Observation, success: Observation): boolean {
  const a = failure.evidence;
  const b = success.evidence;
  if (a.operationId !== undefined && b.operationId !== undefined) return a.operationId === b.operationId;
  if (b.reason === "Pulled") return failedClass === "pod.image_pull";
  const phase =
    a.phase ?? (CREATE_CLASSES.test(failedClass) ? "create" : EXEC_CLASSES.test(failedClass) ? "exec" : undefined);
  const went = b.phase ?? (b.kind === "lifecycle" ? "create" : undefined);
  if (phase === undefined || went === undefined) return false;
  if (phase === "create") {
    const near = failure.at === null || success.at === null || success.at - failure.at <= CREATE_REACH_MS;
    // A command that ran proves that the sandbox came up as well.
    return near && (went === "create" || went === "exec");
  }
  return phase === went;
}
