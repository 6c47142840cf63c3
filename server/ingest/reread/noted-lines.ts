/** Stands in for the archive when its own lines are read again: notes what reads each, and keeps nothing. */
import type { ArchiveBlock, ArchiveSender } from "@/server/domain/archive";
import type { LineKeeper } from "../line-archive";

export class NotedLines implements LineKeeper {
  /** The format that read the line that was given last, null for none; undefined when the line waits for more. */
  latest: string | null | undefined;

  keep(...[format]: Parameters<LineKeeper["keep"]>): void {
    this.latest = format?.name ?? null;
  }

  keepRoutine(): boolean {
    return false;
  }

  records(): number {
    return 0;
  }

  take(): Promise<ArchiveBlock[]> {
    return Promise.resolve([]);
  }

  senderOf(): ArchiveSender {
    throw new Error("lines that are read again are read as text");
  }

  at(): void {}
}
