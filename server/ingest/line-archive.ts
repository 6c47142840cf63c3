/** The archive's side of one delivery: which lines are kept, under whose name, in blocks compressed as they fill. */
import { sealedLater } from "@/server/archive/block-builder";
import { packMarks } from "@/server/archive/line-marks";
import type { ArchiveBlock, ArchiveSender, LineMarks } from "@/server/domain/archive";
import type { DeliveryParams } from "@/server/domain/batch";
import type { Origin } from "@/server/domain/taxonomy-words";
import { ArchiveLines, type EscapedText } from "./archive-lines";
import type { Place } from "./bundles/place";
import type { Format, Payload, Who } from "./format";
import { headTime } from "./head-time";
import { Senders } from "./sink-senders";

/** Documents are kept as what was read of them. */
const DEFAULT_ARCHIVE = { line: "lines", document: "none" } as const;

export function keepsLines(format: Pick<Format, "unit" | "archive">): boolean {
  return (format.archive ?? DEFAULT_ARCHIVE[format.unit]) === "lines";
}

/** What the rows of a sender say as well. */
interface Belonging {
  runOf(who: Who): string | null;
  originOf(who: Who): Origin;
}

/** What keeps the lines of what is read. */
export interface LineKeeper {
  /** Keeps a line as `format` (null: none) will read it. */
  keep(format: Pick<Format, "name" | "unit" | "archive"> | null, payload: KeptPayload, as?: KeptAs): void;
  /** Keeps a line by its bytes; false, and nothing is done, when it has to be looked at as text. */
  keepRoutine(format: string, sender: ArchiveSender, line: number, at: number | null, text: EscapedText): boolean;
  /** Records of which a line was kept since this was asked last. */
  records(): number;
  /** What a segment stores: blocks that are full or long begun, at the `last` call all. Rejects with `unavailable` where nothing can compress. */
  take(last: boolean): Promise<ArchiveBlock[]>;
  /** As it is named on lines of its own. */
  senderOf(who: Who): ArchiveSender;
  /** Which file is read from here on. */
  at(place: Place | null): void;
}

type KeptPayload = Omit<Payload, "time" | "partial">;
/** How the line came to be kept: going on the record before it, parsed by its envelope, or without a format being asked about it. */
export type KeptAs = Pick<LineMarks, "partial" | "broken" | "parsed" | "cut"> & { goesOn?: true };

export class LineArchive implements LineKeeper {
  private readonly senders: Senders;
  /** Part of the first record of a line in the file that is read. */
  private firstPart = 0;
  private routineMarks = 0;
  private begun = 0;
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

  keep(
    format: Pick<Format, "name" | "unit" | "archive"> | null,
    { who, at, line, text, part, level }: KeptPayload,
    { goesOn, ...as }: KeptAs = {},
  ): void {
    if (format !== null && !keepsLines(format)) return;
    if (!goesOn) this.begun++;
    const own = at === null ? headTime(text, this.params.tz) : null;
    const marks = packMarks({
      ...as,
      part: (part ?? 0) + this.firstPart,
      ...(level !== undefined && { level }),
      ...(own !== null && { ownTime: true }),
    });
    this.lines.add({ line, at: at ?? own, sender: this.senderOf(who), format: format?.name ?? null, marks }, text);
  }

  keepRoutine(format: string, sender: ArchiveSender, line: number, at: number | null, text: EscapedText): boolean {
    if (!this.lines.addEscaped(text, sender)) return false;
    this.lines.end(line, at, sender, format, this.routineMarks);
    this.begun++;
    return true;
  }

  records(): number {
    const { begun } = this;
    this.begun = 0;
    return begun;
  }

  take(last: boolean): Promise<ArchiveBlock[]> {
    this.lines.segment(last);
    const blocks = this.blocks;
    this.blocks = [];
    return Promise.all(blocks);
  }

  senderOf(who: Who): ArchiveSender {
    return this.senders.of(who, this.belonging.runOf(who), this.belonging.originOf(who));
  }

  at(place: Place | null): void {
    this.firstPart = place?.firstPart ?? 0;
    this.routineMarks = packMarks({ part: this.firstPart });
    this.senders.file = place?.entry ?? null;
  }
}
