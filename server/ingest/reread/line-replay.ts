/** Gives the archived lines of one delivery to the readers once more, as their envelopes gave them at first. */
import type { Classifier } from "@/server/classify/classifier";
import { type ArchiveLine, FILE_PARTS, type StoredBlock } from "@/server/domain/archive";
import type { Batch } from "@/server/domain/batch";
import type { NotAgain } from "@/server/domain/reclassify";
import type { RecordPlace } from "@/server/domain/rereading";
import { parsed } from "../detect-json";
import { chooseReaders, type Readers } from "../detect-names";
import type { Payload } from "../format";
import { type ReplaySender, replaySender } from "../replay-sender";
import { RowSink } from "../sink";
import type { TakenSegment } from "../sink-segment";
import { FileReaders } from "./file-readers";
import { NotedLines } from "./noted-lines";

export interface ReplayedSegment extends TakenSegment {
  /** The records that these rows are all of. */
  places: RecordPlace[];
}

export class LineReplay {
  /** Lines of its blocks. */
  lines = 0;
  /** Lines that cannot be read again, by the reason. */
  readonly left: Record<Exclude<NotAgain, "records">, number> = { older: 0, broken: 0, cut: 0 };
  private readonly noted = new NotedLines();
  private readonly sink: RowSink;
  private readonly files: FileReaders;
  private readonly senders = new Map<string, ReplaySender>();
  private given: RecordPlace[] = [];

  /** Throws `invalid` when the format that it was sent as does not exist any more. */
  constructor(batch: Batch, asked: string, readers: Readers, classifier: Classifier) {
    const { run, source, node, cluster, tz, origin } = batch;
    const params = { format: asked, run, source, node, cluster, tz, origin };
    this.sink = new RowSink(params, classifier, this.noted);
    this.files = new FileReaders(batch, params, chooseReaders(asked, readers), this.sink);
  }

  /** The format that read most; null when none did. */
  get format(): string | null {
    return this.files.format;
  }

  /** Reads a block's lines. For each what read it now; undefined where it is not read again, or waits for its end. */
  read(block: StoredBlock, lines: readonly ArchiveLine[]): (string | null | undefined)[] {
    return lines.map((line) => {
      this.lines++;
      const sender = this.senderOf(block, line.sender);
      const why = sender === null ? "older" : line.broken ? "broken" : line.cut ? "cut" : null;
      if (why !== null) this.left[why]++;
      if (sender === null || why !== null) return undefined;
      const part = line.part ?? 0;
      this.given.push({ line: line.line, part });
      this.noted.latest = undefined;
      this.files.of(sender.file ?? null, part).payload(payloadOf(line, sender));
      return this.noted.latest;
    });
  }

  /** Rows since the last call. */
  take(): ReplayedSegment {
    return this.taken(false);
  }

  /** The rest, when all blocks were read. */
  end(): ReplayedSegment {
    this.files.end();
    return this.taken(true);
  }

  private taken(last: boolean): ReplayedSegment {
    const waiting = new Set(this.files.waiting().map(placeKey));
    const places = this.given.filter((place) => !waiting.has(placeKey(place)));
    this.given = this.given.filter((place) => waiting.has(placeKey(place)));
    return { ...this.sink.take(last), places };
  }

  private senderOf(block: StoredBlock, index: number): ReplaySender | null {
    const sender = block.senders[index];
    if (sender?.replay === undefined) return null;
    const known = this.senders.get(sender.replay);
    if (known) return known;
    const made = replaySender(sender);
    if (!made) return null;
    this.sink.share(made.who);
    this.senders.set(sender.replay, made);
    return made;
  }
}

export function placeKey({ line, part }: RecordPlace): string {
  return `${line} ${part}`;
}

function payloadOf(line: ArchiveLine, { who }: ReplaySender): Payload {
  const payload: Payload = { who, at: line.ownTime ? null : line.at, text: line.text, line: line.line };
  payload.part = (line.part ?? 0) % FILE_PARTS;
  if (line.level !== undefined) payload.level = line.level;
  if (line.partial) payload.partial = true;
  if (line.parsed) payload.json = parsed(line.text);
  return payload;
}
