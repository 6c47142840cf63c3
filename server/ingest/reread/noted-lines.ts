/** Stands in for the archive when its own lines are read again: notes what reads each, and keeps nothing. */
import type { Reading } from "@/server/archive/block-codec";
import type { ArchiveBlock, ArchiveSender } from "@/server/domain/archive";
import type { LineKeeper } from "../line-archive";

export class NotedLines implements LineKeeper {
  /** Of the line that was given last; null when it waits for more. */
  latest: Reading | null = null;

  keep(...[format, , as]: Parameters<LineKeeper["keep"]>): void {
    this.latest = { format: format?.name ?? null, goesOn: as?.goesOn === true };
  }

  keepRoutine(): boolean {
    return false;
  }

  take(): Promise<ArchiveBlock[]> {
    return Promise.resolve([]);
  }

  senderOf(): ArchiveSender {
    throw new Error("lines that are read again are read as text");
  }

  at(): void {}
}
