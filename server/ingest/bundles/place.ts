import { FILE_PARTS } from "@/server/domain/archive";
import { jobOf, runInBundle } from "./job-of";

/** What the name of the file that is read says. */
export interface Place {
  /** Its path in an archive, which its rejects name; null for a delivery of its own. */
  entry: string | null;
  /** The run of its rollouts, where neither delivery nor record says one. */
  job: string | null;
  /** Lines are numbered in each file from 1 on, so its records are numbered (`part`) from here on. */
  firstPart: number;
}

/** Of a file that is delivered alone. */
export function placeOf(name: string): Place {
  return { entry: null, job: jobOf(name), firstPart: 0 };
}

/** Of the file at `path` in an archive called `bundle`, of which it is the file of this number. */
export function placeIn(bundle: string, path: string, number: number): Place {
  const job = jobOf(`${bundle}/${path}`) ?? runInBundle(bundle, path);
  return { entry: path, job, firstPart: number * FILE_PARTS };
}

export function withPlace(place: Place | null, message: string): string {
  return place?.entry ? `${place.entry}: ${message}` : message;
}
