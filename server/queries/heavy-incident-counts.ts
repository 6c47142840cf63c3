/** Incidents of all runs counted: distinct rollouts and sandboxes are counted one by one. */
import type { IncidentCount, IncidentDim, IncidentFilter } from "@/server/domain/store";
import type { HeavyWork } from "./heavy-work";

export interface IncidentsCounted {
  filter: IncidentFilter;
  dims: IncidentDim[];
  bucketMs: number;
}

export function countedIncidents({ store }: HeavyWork, asked: IncidentsCounted): Promise<IncidentCount[]> {
  return store.countIncidents(asked.filter, asked.dims, { bucketMs: asked.bucketMs });
}
