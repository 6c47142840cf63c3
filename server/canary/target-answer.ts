/** A target as the API shows it: never its key. Pure. */
import { type CanarySummary, isOver, type TargetAnswer } from "@/server/domain/canary";
import { SCHEDULED } from "./schedule";
import type { Target } from "./target";

export function targetAnswer(target: Target, hasKey: boolean, runs: readonly CanarySummary[]): TargetAnswer {
  const own = runs.filter((run) => run.target === target.name);
  return {
    name: target.name,
    baseUrl: withoutSecrets(target.baseUrl),
    mode: target.mode,
    cluster: target.cluster,
    image: target.image,
    limits: given(target.resources.limits),
    requests: given(target.resources.requests),
    labels: target.labels,
    hasKey,
    bounds: target.bounds,
    last: own[0] ?? null,
    light: own.find(isLight) ?? null,
    running: own.filter((run) => run.state === "running" || run.state === "cancelling").length,
    queued: own.filter((run) => run.state === "queued").length,
  };
}

/** Watches the target, and said something of it. */
function isLight({ plan, by, state }: CanarySummary): boolean {
  const watches = plan === "smoke" || by.startsWith(SCHEDULED);
  return watches && isOver(state) && (state === "passed" || state === "failed");
}

function withoutSecrets(text: string): string {
  const url = new URL(text);
  url.username = "";
  url.password = "";
  url.search = "";
  return url.href;
}

function given(map: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(map).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
