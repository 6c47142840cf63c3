/** Incidents, newest first. Shared ones stand for their parts. */
import { CLASSES } from "@/server/classify/taxonomy";
import type { IncidentAnswer, List } from "@/server/domain/answers";
import type { IncidentFilter, Page, Store } from "@/server/domain/store";
import type { Owner } from "@/server/domain/taxonomy-words";
import { incidentAnswer } from "./incident-answer";
import { defaultOrigins } from "./origins";
import { labelsFor, readDirectory } from "./run-directory";

export interface IncidentsInput extends IncidentFilter {
  owners?: Owner[];
}

export async function listIncidents(
  store: Store,
  input: IncidentsInput & { page: Page },
): Promise<List<IncidentAnswer>> {
  const { page, ...asked } = input;
  const directory = await readDirectory(store);
  const filter = await incidentFilter(store, asked, labelsFor(directory, asked.runs));
  if (filter === null) return { items: [], next: null };
  const found = await store.listIncidents(filter, page);
  return { items: found.items.map((one) => incidentAnswer(one, directory)), next: found.next };
}

/** What the store is asked: owners become classes, aliases join in, origins default. Null: nothing can match. */
export async function incidentFilter(
  store: Store,
  input: IncidentsInput,
  labels: string[] | undefined,
): Promise<IncidentFilter | null> {
  const { owners, ...filter } = input;
  const classes = classesOf(filter.classes, owners);
  if (classes?.length === 0) return null;
  const named = labels !== undefined || filter.ids?.length || filter.rollouts?.length;
  const origins = filter.origins ?? (named ? undefined : await defaultOrigins(store));
  return { ...filter, classes, origins, runs: labels };
}

function classesOf(classes: string[] | undefined, owners: Owner[] | undefined): string[] | undefined {
  if (!owners || owners.length === 0) return classes && classes.length > 0 ? classes : undefined;
  const owned = CLASSES.filter((info) => owners.includes(info.owner)).map((info) => info.id);
  return classes && classes.length > 0 ? owned.filter((id) => classes.includes(id)) : owned;
}
