/** What each page asks of the API, with things to ask about that the store really holds. */
import type { Store } from "@/server/domain/store";

export interface Asked {
  page: string;
  /** Under `/api/v1`. */
  path: string;
  /** ms within which p95 must lie; 50 unless said. */
  bar?: number;
}

const FIRST = { limit: 1, cursor: null };
const INFRA = "disconnect,proxy,oom,startup,scheduling,node,other";
const RUN_BAR = 30;

/** Throws when the store holds no run with a lost rollout. */
export async function pageCalls(store: Store): Promise<Asked[]> {
  const labels = (await store.runFacts({ origins: ["fleet"] }))
    .map((one) => one.run)
    .filter((run) => run.startsWith("seed"));
  const [run, other] = [labels[Math.floor(labels.length / 2)], labels[0]];
  const lost = run && (await store.listRollouts({ runs: [run], verdicts: ["infra_failed"] }, FIRST)).items[0];
  if (!run || !other || !lost) throw new Error("the store holds no run with a lost rollout");
  const at = `/runs/${run}`;
  return [
    { page: "overview", path: "/overview" },
    { page: "runs", path: "/runs?limit=200" },
    { page: "run", path: at, bar: RUN_BAR },
    { page: "run", path: `${at}/breakdown`, bar: RUN_BAR },
    { page: "run", path: `${at}/rollouts?limit=200`, bar: RUN_BAR },
    { page: "run", path: `${at}/rollouts?verdict=infra_failed&limit=200`, bar: RUN_BAR },
    { page: "run", path: `${at}/rollouts?text=task-0042&limit=200`, bar: RUN_BAR },
    { page: "run", path: `/findings?run=${run}`, bar: RUN_BAR },
    { page: "run", path: `/exec-sweep?run=${run}`, bar: RUN_BAR },
    { page: "rollout", path: `/rollouts/${lost.id}` },
    { page: "incident", path: `/incidents/${lost.incident}` },
    { page: "nodes", path: "/nodes?limit=500" },
    { page: "nodes", path: `/nodes?run=${run}&limit=500` },
    { page: "node", path: `/nodes/${lost.node}` },
    { page: "failures", path: `/failures?by=class&limit=500&family=${INFRA}` },
    { page: "failures", path: `/failures?by=hour,family&limit=500&family=${INFRA}` },
    { page: "failures", path: `/failures?by=node,class&limit=500&family=${INFRA}` },
    { page: "failures", path: `/failures?by=class&limit=500&family=${INFRA}&run=${run}` },
    { page: "failures", path: "/incidents?limit=200" },
    { page: "failures", path: `/incidents?limit=200&family=${INFRA}` },
    { page: "failures", path: "/incidents?limit=200&class=control.create_timeout" },
    { page: "failures", path: "/incidents?limit=200&class=unknown" },
    { page: "compare", path: `/compare?baseline=${other}&candidate=${run}&paired=auto` },
    { page: "findings", path: "/findings" },
    { page: "ingest", path: "/batches?limit=50" },
    { page: "all", path: "/health" },
  ];
}
