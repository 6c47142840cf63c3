/** One incident with the lines that prove it and what its subject said around that time. */
import type { IncidentDetail } from "@/server/domain/answers";
import { CoalmineError } from "@/server/domain/errors";
import type { Observation } from "@/server/domain/facts";
import type { Incident } from "@/server/domain/incident";
import type { Store } from "@/server/domain/store";
import { byTime, evidenceLine, incidentAnswer } from "./incident-answer";
import { readDirectory } from "./run-directory";

/** How far from the incident a line of the same subject is still shown, and at most how many. */
const AROUND_MS = 60_000;
const MOST_LINES = 200;

/** An id that was replaced answers with the incident that took its place. Throws `not_found`. Evidence lines carry their class; neighbours that fired no rule have class null. */
export async function incidentDetail(store: Store, input: { id: string }): Promise<IncidentDetail> {
  const incident = (await incidentOf(store, input.id)) ?? (await successorOf(store, input.id));
  if (!incident) throw new CoalmineError("not_found", `There is no incident "${input.id}".`);
  const proof = await store.observationsByKey(incident.keys);
  const keys = new Set(proof.map((one) => one.key));
  const around = (await store.observationsOf([incident.ref])).filter((o) => !keys.has(o.key) && isNear(o, incident));
  const shown = [...proof, ...around.slice(0, Math.max(0, MOST_LINES - proof.length))].sort(byTime);
  const places = await store.observationBatches(shown.map((one) => one.key));
  const lines = shown.map((one) => evidenceLine(one, places));
  const superseded = incident.id === input.id ? {} : { supersededBy: incident.id };
  return { ...incidentAnswer(incident, await readDirectory(store)), ...superseded, lines };
}

async function incidentOf(store: Store, id: string): Promise<Incident | undefined> {
  return (await store.listIncidents({ ids: [id], withParts: true }, { limit: 1, cursor: null })).items[0];
}

async function successorOf(store: Store, id: string): Promise<Incident | undefined> {
  const by = await store.supersededBy(id);
  return by === null ? undefined : incidentOf(store, by);
}

function isNear(observation: Observation, incident: Incident): boolean {
  if (observation.at === null || incident.firstAt === null) return false;
  return (
    observation.at >= incident.firstAt - AROUND_MS &&
    observation.at <= (incident.lastAt ?? incident.firstAt) + AROUND_MS
  );
}
