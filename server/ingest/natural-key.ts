/** Natural keys (design.md §5): the same record gets the same key whichever delivery or collector brings it. */
import { createHash } from "node:crypto";
import type { FlatConfig, RolloutRecord } from "@/server/domain/rollout";
import type { Who } from "./format";

/** 128 bits of SHA-256 in hex over the parts; a part's length is hashed with it, so that no two lists look alike. */
export function hashKey(parts: readonly (string | number | null)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) {
    const text = part === null ? "\u0000" : String(part);
    hash.update(`${text.length}:`).update(text);
  }
  return hash.digest("hex").slice(0, 32);
}

/** What a stream is named when no pod is known: the run and source that its delivery was sent under. */
export interface StreamFallback {
  run: string | null;
  source: string;
}

/**
 * Names the stream that a record came from: by pod UID, else pod name, container and stdout|stderr, where known;
 * else by run and source. A UID stands alone, since not every collector sends the namespace beside it.
 */
export function streamId(cluster: string, who: Who, fallback: StreamFallback): string {
  const pipe = `${who.container ?? ""}|${who.stream ?? ""}`;
  if (who.podUid) return `${cluster}|uid:${who.podUid}|${pipe}`;
  if (who.pod) return `${cluster}|pod:${who.namespace ?? ""}/${who.pod}|${pipe}`;
  return `${cluster}|run:${fallback.run ?? ""}|${who.source ?? fallback.source}|${pipe}`;
}

/**
 * Names the container that a dated record came from, alike for all collectors; null when no pod is known. No pod has the name of another
 * in its namespace at the same time, so a UID, which many do not send, adds nothing; nor does stdout|stderr, which the Kubernetes API
 * does not tell. Where the namespace is not said the UID stands in, else the name alone.
 */
export function senderId(cluster: string, { namespace, pod, podUid, container }: Who): string | null {
  const inside = container ?? "";
  if (pod && namespace) return `${cluster}|pod:${namespace}/${pod}|${inside}`;
  if (podUid) return `${cluster}|uid:${podUid}|${inside}`;
  return pod ? `${cluster}|pod:/${pod}|${inside}` : null;
}

/** Numbers records of one delivery that share stream, time and text: 0, 1, 2 … */
export class Ordinals {
  private readonly seen = new Map<string, number>();

  next(key: string): number {
    const ordinal = this.seen.get(key) ?? 0;
    this.seen.set(key, ordinal + 1);
    return ordinal;
  }
}

/** Run labels have no id of their own, so a rollout is named by its label (none = empty), task, index and attempt. */
export function rolloutIds(rollout: { run: string | null; task: string; index: number; attempt: number }): {
  id: string;
  group: string;
} {
  const group = hashKey(["rollout", rollout.run, rollout.task, rollout.index]);
  return { group, id: hashKey(["attempt", group, rollout.attempt]) };
}

/** Tells two records of one id apart: a hash over what was kept of the record, not over how it was written. */
export function contentKey(
  record: Partial<RolloutRecord> & { config: FlatConfig },
  evidence: readonly object[],
): string {
  return hashKey([stable(record), stable(evidence)]);
}

/** JSON with sorted keys and without undefined. */
export function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter((entry) => entry[1] !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${stable(inner)}`).join(",")}}`;
}
