import { jobOf, runInBundle } from "./job-of";

/** What the name of the file that is read says. */
export interface Place {
  /** Its path in an archive, which its rejects name; null for a delivery of its own. */
  entry: string | null;
  /** The run of its rollouts, where neither delivery nor record says one. */
  job: string | null;
}

/** Of a file that is delivered alone. */
export function placeOf(name: string): Place {
  return { entry: null, job: jobOf(name) };
}

/** Of the file at `path` in an archive called `bundle`. */
export function placeIn(bundle: string, path: string): Place {
  return { entry: path, job: jobOf(`${bundle}/${path}`) ?? runInBundle(bundle, path) };
}

export function withPlace(place: Place | null, message: string): string {
  return place?.entry ? `${place.entry}: ${message}` : message;
}
