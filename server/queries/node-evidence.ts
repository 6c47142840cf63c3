/** What is told of a node itself: its conditions, its events, the incidents on it, and what our canaries met there. */
import { mergeFacts } from "@/server/derive/merge-facts";
import type { RunDirectory } from "@/server/derive/run-directory";
import type { Incident } from "@/server/domain/incident";
import type { NodeDetail } from "@/server/domain/node-detail";
import { makeRef } from "@/server/domain/refs";
import type { RolloutFilter, Store } from "@/server/domain/store";
import { byTime, evidenceLine, incidentAnswer } from "./incident-answer";
import { iso } from "./iso";

const SHOWN = 20;
/** Incidents looked through for those of the node itself. */
const MOST_INCIDENTS = 500;
const MOST_EVENTS = 100;

type Evidence = Pick<NodeDetail, "conditions" | "events" | "newest" | "canary">;

/** `filter` names the node; `cluster` is that of its newest rollout, null when it had none. */
export async function nodeEvidence(
  store: Store,
  directory: RunDirectory,
  node: string,
  filter: RolloutFilter,
  cluster: string | null,
): Promise<Evidence> {
  const { items } = await store.listIncidents(
    { ...filter, orWithoutRun: filter.runs !== undefined },
    { limit: MOST_INCIDENTS, cursor: null },
  );
  const clusters = new Set([cluster ?? "default", ...items.map((one) => one.cluster)]);
  return {
    conditions: await conditionsOf(store, node, [...clusters]),
    events: await eventsOf(
      store,
      items.filter((one) => one.subject.kind === "node"),
    ),
    newest: items.slice(0, SHOWN).map((one) => incidentAnswer(one, directory)),
    canary: await canaryOf(store, node),
  };
}

async function conditionsOf(store: Store, node: string, clusters: string[]): Promise<NodeDetail["conditions"]> {
  const facts = await store.factsOf(clusters.map((cluster) => makeRef("node", cluster, node)));
  return [...mergeFacts(facts).values()]
    .filter((fact) => fact.name.startsWith("condition."))
    .map((fact) => ({ type: fact.name.slice("condition.".length), status: String(fact.value), at: iso(fact.at) }))
    .sort((a, b) => (a.type < b.type ? -1 : 1));
}

async function eventsOf(store: Store, incidents: readonly Incident[]): Promise<NodeDetail["events"]> {
  const keys = [...new Set(incidents.flatMap((one) => one.keys))].slice(0, MOST_EVENTS);
  if (keys.length === 0) return [];
  return (await store.observationsByKey(keys))
    .sort(byTime)
    .reverse()
    .map((one) => evidenceLine(one));
}

async function canaryOf(store: Store, node: string): Promise<NodeDetail["canary"]> {
  const { items } = await store.listIncidents(
    { nodes: [node], origins: ["canary"] },
    { limit: MOST_INCIDENTS, cursor: null },
  );
  if (items.length === 0) return null;
  return { incidents: items.length, lastAt: iso(items[0]?.lastAt ?? items[0]?.firstAt ?? null) };
}
