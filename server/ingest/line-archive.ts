/** The archive's side of one delivery: which lines are kept, under whose name, in blocks compressed as they fill. */
import { sealedLater } from "@/server/archive/block-builder";
import type { ArchiveBlock, ArchiveSender } from "@/server/domain/archive";
import type { DeliveryParams } from "@/server/domain/batch";
import type { Origin } from "@/server/domain/taxonomy-words";
import { ArchiveLines, type EscapedText } from "./archive-lines";
import type { Format, Payload, Who } from "./format";
import { headTime } from "./head-time";
import { Senders } from "./sink-senders";

/** Documents are kept as what was read of them. */
const DEFAULT_ARCHIVE = { line: "lines", document: "none" } as const;

/** What the rows of a sender say as well. */
interface Belonging {
  runOf(who: Who): string | null;
  originOf(who: Who): Origin;
}

export class LineArchive {
  private readonly senders: Senders;
  /** Full blocks, being compressed. */
  private blocks: Promise<ArchiveBlock>[] = [];
  private readonly lines = new ArchiveLines((block) => {
    const sealed = sealedLater(block);
    // A failure is met where the block is asked for.
    sealed.catch(() => undefined);
    this.blocks.push(sealed);
  });

  constructor(
    private readonly params: DeliveryParams,
    private readonly belonging: Belonging,
  ) {
    this.senders = new Senders(params);
  }

  /** Keeps a line as `format` (null: none) will read it. */
  keep(
    format: Pick<Format, "name" | "unit" | "archive"> | null,
    { who, at, line, text }: Pick<Payload, "who" | "at" | "line" | "text">,
  ): void {
    if (format !== null && (format.archive ?? DEFAULT_ARCHIVE[format.unit]) === "none") return;
    const when = at ?? headTime(text, this.params.tz);
    this.lines.add({ line, at: when, sender: this.senderOf(who), format: format?.name ?? null }, text);
  }

  /** Keeps a line by its bytes; false, and nothing is done, when it has to be looked at as text. */
  keepRoutine(format: string, sender: ArchiveSender, line: number, at: number | null, text: EscapedText): boolean {
    return this.lines.addEscaped(line, at, sender, format, text);
  }

  /** What a segment stores: blocks that are full or long begun, at the `last` call all. Rejects with `unavailable` where nothing can compress. */
  take(last: boolean): Promise<ArchiveBlock[]> {
    this.lines.segment(last);
    const blocks = this.blocks;
    this.blocks = [];
    return Promise.all(blocks);
  }

  /** As it is named on lines of its own. */
  senderOf(who: Who): ArchiveSender {
    return this.senders.of(who, this.belonging.runOf(who), this.belonging.originOf(who));
  }
}
