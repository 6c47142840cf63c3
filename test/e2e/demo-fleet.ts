import { vi } from "vitest";
import type { List, RolloutAnswer, RunSummary } from "@/server/domain/answers";

/** Rollouts of the made-up fleet. */
const ALL = 674;
const WITHIN = { timeout: 240_000, interval: 200 };

export async function runsOf(url: string): Promise<RunSummary[]> {
  const answer = await fetch(`${url}/api/v1/runs`);
  return ((await answer.json()) as List<RunSummary>).items;
}

async function isWhole(url: string): Promise<boolean> {
  return (await runsOf(url)).reduce((sum, run) => sum + run.rollouts, 0) >= ALL;
}

/** Waits until all of it is counted. */
export async function demoThere(url: string): Promise<void> {
  await vi.waitUntil(() => isWhole(url), WITHIN);
}

/** Sees to it that it is there, whoever loaded it. */
export async function withDemo(url: string): Promise<void> {
  if (!(await isWhole(url))) await fetch(`${url}/api/v1/demo`, { method: "POST" });
  await demoThere(url);
}

/** Sees to it that it is not there. */
export async function withoutDemo(url: string): Promise<void> {
  await fetch(`${url}/api/v1/demo`, { method: "DELETE" });
  await vi.waitUntil(async () => (await runsOf(url)).length === 0, WITHIN);
}

/** The id of a rollout that the baseline lost. */
export async function lostRollout(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/runs/swe-2gi/rollouts?verdict=infra_failed&limit=1`);
  const [rollout] = ((await answer.json()) as List<RolloutAnswer>).items;
  if (!rollout) throw new Error("the demo fleet lost no rollout");
  return rollout.id;
}
