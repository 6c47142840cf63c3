/** Rollouts killed at their memory limit: how high to set it, what that costs in packing, and when it is too much. */
import { bytesText } from "@/server/domain/quantity";
import { plural } from "@/server/stats/percent";
import { configChange } from "./change-lines";
import { classLinks, configLink, factsOf, severityOf, sumOf } from "./class-facts";
import type { Check, Finding, FindingInput } from "./finding";
import { fitting, killedByLimit, type Size, sizeOf } from "./memory-sizes";
import { winBack } from "./win-back";

const CLASSES = ["pod.oom_killed", "pod.oom_process"];
const SMALL = 4 * 2 ** 30;
/** Beyond this multiple of the task's own specification the environment is another one: scores no longer compare. */
const MOST_OF_SPECIFIED = 3;
const MOST_CANARY_MIB = 65_536;

export const memoryLimit: Check = (input) => {
  const sum = sumOf(factsOf(input, CLASSES));
  const limit = sizeOf(input.config, "memoryLimit") ?? killedAt(input);
  const task = sizeOf(input.config, "taskMemory");
  if (sum.rollouts > 0) return killed(input, sum.rollouts, limit, task);
  return limit !== null && task !== null && limit.bytes > task.bytes * MOST_OF_SPECIFIED
    ? tooHigh(input, limit, task)
    : null;
};

/** Where the run has several limits: the one at which most were killed. */
function killedAt(input: FindingInput): Size | null {
  const worst = killedByLimit(input.config)[0];
  return worst && worst.killed > 0 && worst.limit !== null ? { bytes: worst.limit, reading: null } : null;
}

function killed(input: FindingInput, lost: number, limit: Size | null, task: Size | null): Finding {
  const back = winBack(lost, lost, input);
  const subject = `${lost} of ${plural(input.finished, "rollout")} ${lost === 1 ? "was" : "were"} killed for memory`;
  const found = {
    id: "memory-limit",
    run: input.run,
    title: "The memory limit is below what the rollouts need",
    severity: severityOf(lost, input),
    rolloutsAffected: lost,
    evidence: [...classLinks(input, CLASSES), configLink(input)],
  };
  if (limit === null) {
    const text = `${subject}; at which limit is not known: send the pods (kubectl get pods -o json) or say the run's config.`;
    return { ...found, text, winBack: back, change: null, canaryPlan: null };
  }
  const next = nextLimit(limit.bytes, task?.bytes ?? null);
  if (next === null) {
    const times = (limit.bytes / (task?.bytes ?? limit.bytes)).toFixed(1);
    const text = `${subject} at ${bytesText(limit.bytes)}, which is ${times} times the task's own specification already: look at what these rollouts run before giving them more.`;
    return { ...found, text, winBack: null, change: null, canaryPlan: null };
  }
  const request = sizeOf(input.config, "memoryRequest");
  const keep = Math.min(request?.bytes ?? limit.bytes, limit.bytes);
  const spared = back ? `${Math.floor(back.rollouts.low)}–${back.rollouts.high.toFixed(0)} of them` : "them";
  return {
    ...found,
    text: `${subject} at ${bytesText(limit.bytes)}; ${bytesText(next)} would spare ${spared} if none needs more, and ${packing(keep, next)}.`,
    winBack: back,
    change: configChange([
      { id: "memoryLimit", before: limit.reading, after: next },
      { id: "memoryRequest", before: request?.reading ?? null, after: keep },
    ]),
    canaryPlan: { plan: "memory-limit", options: { limitMiB: Math.min(MOST_CANARY_MIB, Math.round(next / 2 ** 20)) } },
  };
}

/** Four times a small limit, twice a large one, never beyond what the task's specification bears; null: no room. */
function nextLimit(limit: number, specified: number | null): number | null {
  const wanted = limit * (limit < SMALL ? 4 : 2);
  const next = specified === null ? wanted : Math.min(wanted, specified * MOST_OF_SPECIFIED);
  return next > limit ? next : null;
}

function packing(request: number, next: number): string {
  const [split, joined] = [fitting(request), fitting(next)];
  if (request === next) return `a node of ${split.nodeGiB} GiB holds ${split.sandboxes} sandboxes`;
  return `with requests at ${bytesText(request)} a node of ${split.nodeGiB} GiB holds ${split.sandboxes} sandboxes as before, with requests raised too only ${joined.sandboxes}`;
}

function tooHigh(input: FindingInput, limit: Size, task: Size): Finding {
  const most = task.bytes * MOST_OF_SPECIFIED;
  return {
    id: "memory-limit",
    run: input.run,
    title: "The memory limit is far above what the task specifies",
    severity: "minor",
    text: `The limit of ${bytesText(limit.bytes)} is ${(limit.bytes / task.bytes).toFixed(1)} times the ${bytesText(task.bytes)} that the task specifies: beyond ${MOST_OF_SPECIFIED} times, tasks get easier and scores no longer compare with others'.`,
    rolloutsAffected: 0,
    winBack: null,
    evidence: [configLink(input)],
    change: configChange([{ id: "memoryLimit", before: limit.reading, after: most }]),
    canaryPlan: null,
  };
}
