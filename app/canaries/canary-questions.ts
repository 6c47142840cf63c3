/** What the canary pages ask, kept as all answers are. */
import { queryOptions } from "@tanstack/react-query";
import { apiUrl, getJson, type Params } from "@/app/_client/api";
import type { List } from "@/server/domain/answers";
import type {
  CanaryAnswer,
  CanaryNodeAnswer,
  CanarySummary,
  LeftoverAnswer,
  PlanAnswer,
  ScheduleAnswer,
  TargetAnswer,
} from "@/server/domain/canary";

/** A list of runs that may be going on is read again so often while it is looked at. */
const LIVE_MS = 4_000;

function question<T>(path: string, params: Params = {}, refetchInterval: number | false = false) {
  const url = apiUrl(path, params);
  return queryOptions({
    queryKey: [path, url] as const,
    queryFn: ({ signal }) => getJson<T>(url, signal),
    refetchInterval,
  });
}

export const askCanaries = {
  targets: () => question<List<TargetAnswer>>("/targets", {}, LIVE_MS),
  plans: () => question<List<PlanAnswer>>("/plans"),
  nodes: () => question<List<CanaryNodeAnswer>>("/canary-nodes"),
  schedules: () => question<List<ScheduleAnswer>>("/schedules"),
  runs: (target: string | null) => question<List<CanarySummary>>("/canaries", { target, limit: 200 }, LIVE_MS),
  run: (id: string) => question<CanaryAnswer>(`/canaries/${encodeURIComponent(id)}`),
  leftovers: (target: string, run: string | null) =>
    question<List<LeftoverAnswer>>(`/targets/${encodeURIComponent(target)}/leftovers`, { run }),
};
