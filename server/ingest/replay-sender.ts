/** Who sent a line, as the archive keeps it for reading the line again. */
import type { ArchiveSender } from "@/server/domain/archive";
import type { Who } from "./format";
import { tellsSomething } from "./sink-who";

export interface ReplaySender {
  who: Who;
  /** Its path, where it is of a file in a bundle. */
  file?: string;
}

/** As JSON. Of the labels only those that say something go along. */
export function replayOf(who: Who, file: string | null): string {
  const { labels, ...rest } = who;
  const kept = Object.entries(labels ?? {}).filter(([name]) => tellsSomething(name));
  const replay: ReplaySender = {
    who: { ...rest, ...(kept.length > 0 && { labels: Object.fromEntries(kept) }) },
    ...(file !== null && { file }),
  };
  return JSON.stringify(replay);
}

/** Null for a sender of blocks that an older version wrote. */
export function replaySender({ replay }: ArchiveSender): ReplaySender | null {
  return replay === undefined ? null : (JSON.parse(replay) as ReplaySender);
}
