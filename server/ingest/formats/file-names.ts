/** What a file's name says where its record does not: `step_3/train/a__b-1_0.json`, `output.critic_attempt_2.jsonl`. */
import { createHash } from "node:crypto";
import { NAMED_INDEX_FROM } from "@/server/domain/rollout";
import type { FormatContext, Payload } from "../format";

/** The name of the file that a payload stands in, with its folders; "" when nobody knows it. */
export function nameOf(payload: Payload, { name, params }: FormatContext): string {
  return name ?? payload.who.source ?? params.source;
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.split("/").at(-1) ?? "";
}

/**
 * A rollout index (`NAMED_INDEX_FROM` … 2³¹ − 1) for records that have a name of their own and no number among their repeats: the same name gets
 * the same index, in whatever order and by whichever delivery its record comes.
 */
export function indexOfName(name: string): number {
  const hash = createHash("sha256").update(name).digest().readUInt32BE(0) >>> 1;
  return hash < NAMED_INDEX_FROM ? hash + NAMED_INDEX_FROM : hash;
}
