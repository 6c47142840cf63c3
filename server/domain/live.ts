import type { Tail } from "./raw-lines";

/** `GET /live`: what a reader is told while they look at a page. */

export const LIVE_TOPICS = ["runs", "deliveries", "tail"] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];

/**
 * One event; `id` is the version of the data that it tells of, so that a reader who comes back can say what they know.
 * - `hello`: the reader is heard · `runs`: what pages over runs show may be another by now
 * - `deliveries`: one came, went on, ended or was taken back
 * - `lines`: raw lines that came and match, or how many could not be shown
 */
export interface LiveEvent {
  id: number;
  type: "hello" | "runs" | "deliveries" | "lines";
  /** With `lines`. */
  tail?: Omit<Tail, "after">;
}
