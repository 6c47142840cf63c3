/** What pages ask: one question a function, with the key under which its answer is kept. Server and browser share them. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { CompareAnswer } from "@/server/compare/answer";
import type {
  BatchAnswer,
  ExecSweep,
  FailureDim,
  FailureGroup,
  IncidentAnswer,
  IncidentDetail,
  List,
  Overview,
  RolloutAnswer,
  RunBreakdown,
  RunSummary,
} from "@/server/domain/answers";
import type { Intake } from "@/server/domain/intake";
import type { NodeDetail } from "@/server/domain/node-detail";
import type { JudgedNodes } from "@/server/domain/node-judged";
import { isPending } from "@/server/domain/pending";
import type { Health, SessionAnswer, TaxonomyClass, TaxonomyRule } from "@/server/domain/product-answers";
import type { ReclassifyAnswer } from "@/server/domain/reclassify";
import type { RejectAnswer } from "@/server/domain/reject-answer";
import type { RolloutDetail } from "@/server/domain/rollout-detail";
import type { UploadAnswer } from "@/server/domain/upload";
import type { Finding } from "@/server/findings/finding";
import { apiUrl, getJson, type Params } from "./api";

/** An answer of which something is still being computed is asked for again. */
const PENDING_MS = 1000;

function question<T>(path: string, params: Params = {}) {
  const url = apiUrl(path, params);
  return queryOptions({
    queryKey: [path, url] as const,
    queryFn: ({ signal }) => getJson<T>(url, signal),
    refetchInterval: ({ state }) => (isPending(state.data) ? PENDING_MS : false),
  });
}

/** A list that is read page by page as it is scrolled. */
function pages<T>(path: string, params: Params) {
  return infiniteQueryOptions({
    queryKey: [path, apiUrl(path, params), "pages"] as const,
    queryFn: ({ signal, pageParam }) => getJson<List<T>>(apiUrl(path, { ...params, cursor: pageParam }), signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last: List<T>) => last.next,
  });
}

const at = (...parts: string[]): string => parts.map((part) => `/${encodeURIComponent(part)}`).join("");

export interface RolloutsAsked {
  verdict?: string | null;
  family?: string | null;
  class?: string | null;
  node?: string | null;
  config?: string | null;
  task?: string | null;
  text?: string | null;
  /** ISO 8601, `from` inclusive, `to` exclusive. */
  from?: string | null;
  to?: string | null;
}

export interface IncidentsAsked {
  run?: string | null;
  family?: string | null;
  class?: string | null;
  node?: string | null;
  outcome?: string | null;
  owner?: string | null;
  source?: string | null;
  config?: string | null;
  from?: string | null;
  to?: string | null;
}

const ROWS = 200;

export const ask = {
  overview: () => question<Overview>("/overview"),
  runs: () => question<List<RunSummary>>("/runs", { limit: 200 }),
  run: (run: string) => question<RunSummary>(`/runs${at(run)}`),
  breakdown: (run: string) => question<RunBreakdown>(`/runs${at(run)}/breakdown`),
  rollouts: (run: string, asked: RolloutsAsked) =>
    pages<RolloutAnswer>(`/runs${at(run)}/rollouts`, { ...asked, limit: ROWS }),
  rollout: (id: string) => question<RolloutDetail>(`/rollouts${at(id)}`),
  failures: (by: readonly FailureDim[], asked: IncidentsAsked) =>
    question<List<FailureGroup> & { pending?: boolean }>("/failures", { ...asked, by, limit: 500 }),
  incidents: (asked: IncidentsAsked) => pages<IncidentAnswer>("/incidents", { ...asked, limit: ROWS }),
  incident: (id: string) => question<IncidentDetail>(`/incidents${at(id)}`),
  nodes: (run: string | null) => question<JudgedNodes>("/nodes", { run, limit: 500 }),
  node: (node: string, run: string | null) => question<NodeDetail>(`/nodes${at(node)}`, { run }),
  findings: (run: string) => question<List<Finding>>("/findings", { run }),
  /** Of the newest runs. */
  openFindings: () => question<List<Finding>>("/findings"),
  compare: (baseline: string, candidate: string, paired: string) =>
    question<CompareAnswer>("/compare", { baseline, candidate, paired }),
  execSweep: (run: string) => question<ExecSweep>("/exec-sweep", { run }),
  /** Is there anything made up in the store? */
  demo: () => question<List<BatchAnswer>>("/batches", { origin: "demo", limit: 1 }),
  batches: () => pages<BatchAnswer>("/batches", { limit: 50 }),
  rejects: (id: string) => pages<RejectAnswer>(`/batches${at(id)}/rejects`, { limit: ROWS }),
  intake: () => question<Intake>("/intake"),
  reclassify: () => question<ReclassifyAnswer>("/reclassify"),
  uploads: () => question<List<UploadAnswer>>("/uploads"),
  taxonomy: () => question<List<TaxonomyClass>>("/taxonomy"),
  rules: () => question<List<TaxonomyRule>>("/taxonomy/rules"),
  health: () => question<Health>("/health"),
  session: () => question<SessionAnswer>("/session"),
};

/** A call of a question's own path, for changes: `callUrl("/runs", "r-17")`. */
export function callUrl(path: string, id: string, params: Params = {}): string {
  return apiUrl(`${path}${at(id)}`, params);
}
