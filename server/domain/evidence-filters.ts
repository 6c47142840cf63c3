/** What questions about observations, sightings and deliveries may be narrowed to; as in `RolloutFilter`. */
import type { Batch } from "./batch";
import type { ClassId, Origin } from "./taxonomy-words";

export interface ObservationFilter {
  runs?: string[];
  origins?: Origin[];
  kinds?: string[];
  classes?: ClassId[];
  from?: number;
  to?: number;
}

export interface SightingFilter {
  runs?: string[];
  origins?: Origin[];
  formats?: string[];
  from?: number;
  to?: number;
}

export interface BatchFilter {
  states?: Batch["state"][];
  runs?: string[];
  origins?: Origin[];
}
