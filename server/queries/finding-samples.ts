/** Incidents of a run looked at closer: how long after its sandbox was up, how long its socket was idle, which sub-cause. */
import { mergeFacts } from "@/server/derive/merge-facts";
import type { Fact, Link, Observation } from "@/server/domain/facts";
import type { Incident } from "@/server/domain/incident";
import { makeRef, type Ref } from "@/server/domain/refs";
import type { Store } from "@/server/domain/store";
import type { IncidentSample } from "@/server/findings/finding";

/** Classes whose findings say more with the times and causes of single incidents. */
const LOOKED_AT = ["transport.stale_keepalive", "proxy.bind_race", "pod.image_pull", "client.config"];
/** Incidents looked at, newest first. */
const MOST = 200;
const FELL_BACK = /transport_backend=\S* requested but/;

export interface Samples {
  byClass: Map<string, IncidentSample[]>;
  /** Lines that say another transport was used than the one asked for. */
  transportFellBack: number;
}

/** `runs` are the run's labels. */
export async function findingSamples(store: Store, runs: string[]): Promise<Samples> {
  const { items } = await store.listIncidents({ runs, classes: LOOKED_AT }, { limit: MOST, cursor: null });
  if (items.length === 0) return { byClass: new Map(), transportFellBack: 0 };
  const idle = idleTimes(await store.observationsByKey([...new Set(items.flatMap((one) => one.keys))]));
  const up = await upTimes(store, items);
  const byClass = new Map<string, IncidentSample[]>();
  for (const incident of items) {
    const list = byClass.get(incident.class) ?? [];
    byClass.set(incident.class, list);
    list.push({
      fatal: incident.outcome === "fatal",
      afterReadyMs: afterUp(incident, up),
      idleMs: incident.keys.map((key) => idle.get(key)).find((ms) => ms !== undefined) ?? null,
      subCause: incident.subCause,
      rule: incident.rule,
    });
  }
  return { byClass, transportFellBack: items.filter((one) => FELL_BACK.test(one.summary)).length };
}

function idleTimes(observations: readonly Observation[]): Map<string, number> {
  return new Map(
    observations.flatMap(({ key, evidence }) => (evidence.idleMs === undefined ? [] : [[key, evidence.idleMs]])),
  );
}

/** When each sandbox was ready, else created, in epoch ms. */
async function upTimes(store: Store, incidents: readonly Incident[]): Promise<Map<Ref, number>> {
  const refs = [...new Set(incidents.flatMap(sandboxRef))];
  if (refs.length === 0) return new Map();
  const links = await store.linksTo(refs);
  const facts = await store.factsOf([...new Set([...refs, ...links.map((link) => link.from)])]);
  return new Map(
    refs.flatMap((ref) => {
      const at = upTime(ref, facts, links);
      return at === null ? [] : [[ref, at] as const];
    }),
  );
}

function upTime(ref: Ref, facts: readonly Fact[], links: readonly Link[]): number | null {
  const parts = new Set([ref, ...links.filter((link) => link.to === ref).map((link) => link.from)]);
  const sheet = mergeFacts(facts.filter((fact) => parts.has(fact.ref)));
  const at = sheet.get("readyAt")?.value ?? sheet.get("createdAt")?.value;
  return typeof at === "number" ? at : null;
}

/** Null when a time is not known, or clocks differ so much that the failure seems to come first. */
function afterUp(incident: Incident, up: ReadonlyMap<Ref, number>): number | null {
  const [ref] = sandboxRef(incident);
  const since = ref === undefined ? undefined : up.get(ref);
  if (since === undefined || incident.firstAt === null || incident.firstAt < since) return null;
  return incident.firstAt - since;
}

function sandboxRef({ sandbox, cluster }: Incident): Ref[] {
  return sandbox === null ? [] : [makeRef("sandbox", cluster, sandbox)];
}
