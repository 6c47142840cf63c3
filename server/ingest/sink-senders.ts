/** Who sent a line, as the archive names it; the same object for the same sender. */
import type { ArchiveSender } from "@/server/domain/archive";
import type { DeliveryParams } from "@/server/domain/batch";
import type { Origin } from "@/server/domain/taxonomy-words";
import type { Who } from "./format";
import { streamId } from "./natural-key";
import { replayOf } from "./replay-sender";
import { sandboxOfPodName } from "./sink-subject";

const MOST_KNOWN = 20_000;

export class Senders {
  private known = new Map<string, ArchiveSender>();
  private shared = new WeakMap<Who, ArchiveSender>();
  private inFile: string | null = null;

  constructor(private readonly params: DeliveryParams) {}

  /** Name in its bundle of the file that is read. */
  set file(path: string | null) {
    if (path === this.inFile) return;
    this.inFile = path;
    this.shared = new WeakMap();
  }

  /** `run` and `origin` as they hold for this sender's lines. */
  of(who: Who, run: string | null, origin: Origin): ArchiveSender {
    const remembered = this.shared.get(who);
    if (remembered && remembered.run === run) return remembered;
    const made = this.made(who, run, origin);
    const key = JSON.stringify(made);
    let sender = this.known.get(key);
    if (!sender) {
      if (this.known.size >= MOST_KNOWN) this.known = new Map();
      sender = made;
      this.known.set(key, sender);
    }
    this.shared.set(who, sender);
    return sender;
  }

  private made(who: Who, run: string | null, origin: Origin): ArchiveSender {
    const { cluster, source, node } = this.params;
    return {
      stream: streamId(cluster, who, { run, source }),
      source: who.source ?? source,
      run,
      node: who.node ?? node,
      pod: who.pod ?? null,
      podUid: who.podUid ?? null,
      sandbox: who.sandbox ?? sandboxOfPodName(who.pod) ?? null,
      container: who.container ?? null,
      cluster,
      origin,
      replay: replayOf(who, this.inFile),
    };
  }
}
