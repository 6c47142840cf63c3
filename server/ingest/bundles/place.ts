import { jobOf } from "./job-of";

/** What the name of the file that is read says. */
export interface Place {
  /** Its path in an archive, which its rejects name; null for a delivery of its own. */
  entry: string | null;
  /** The run of its rollouts, where neither delivery nor record says one. */
  job: string | null;
}

export function placeOf(name: string, entry: string | null = null): Place {
  return { entry, job: jobOf(name) };
}

export function withPlace(place: Place | null, message: string): string {
  return place?.entry ? `${place.entry}: ${message}` : message;
}
