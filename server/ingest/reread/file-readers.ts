/** The readers of a delivery's files: of one that is no bundle there is one, without a name. */
import { FILE_PARTS } from "@/server/domain/archive";
import type { Batch, DeliveryParams } from "@/server/domain/batch";
import type { RecordPlace } from "@/server/domain/rereading";
import { placeIn, placeOf } from "../bundles/place";
import { LineReader } from "../detect-lines";
import type { ChosenReaders } from "../detect-names";
import type { FormatContext } from "../format";
import type { RowSink } from "../sink";

/** Files that are read at the same time: a bundle's lines are kept run by run, not file by file. */
const MOST_FILES = 64;

interface OpenFile {
  reader: LineReader;
  /** Number of its first records. */
  firstPart: number;
}

export class FileReaders {
  /** How many records each format read; of a bundle, of how many files it read most. */
  private readonly readBy = new Map<string, number>();
  private readonly open = new Map<string | null, OpenFile>();
  private latest: string | null | undefined;

  constructor(
    private readonly batch: Batch,
    private readonly params: DeliveryParams,
    private readonly chosen: ChosenReaders,
    private readonly sink: RowSink,
  ) {}

  /** What reads the file that holds a record of this part. */
  of(file: string | null, part: number): LineReader {
    const firstPart = Math.floor(part / FILE_PARTS) * FILE_PARTS;
    const known = this.open.get(file);
    const [oldest] = this.open.keys();
    if (!known && oldest !== undefined && this.open.size >= MOST_FILES) this.close(oldest);
    this.goTo(file, firstPart);
    if (known) return known.reader;
    const reader = new LineReader(this.chosen, this.sink, this.contextOf(file, firstPart));
    this.open.set(file, { reader, firstPart });
    return reader;
  }

  /** Records that are begun and wait for more of their streams. */
  waiting(): RecordPlace[] {
    return [...this.open.values()].flatMap(({ reader, firstPart }) =>
      reader.waiting.map(({ line, part = 0 }) => ({ line, part: part + firstPart })),
    );
  }

  /** The format that read most; null when none did. */
  get format(): string | null {
    return mostOf(this.readBy);
  }

  end(): void {
    for (const file of [...this.open.keys()]) this.close(file);
  }

  private close(file: string | null): void {
    const known = this.open.get(file);
    if (!known) return;
    this.goTo(file, known.firstPart);
    known.reader.end();
    this.open.delete(file);
    const counts = known.reader.readBy;
    const most = mostOf(counts);
    for (const [name, n] of file === null ? counts : most === null ? [] : [[most, 1] as const])
      this.readBy.set(name, (this.readBy.get(name) ?? 0) + n);
  }

  private get bundle(): string {
    return this.batch.name ?? this.batch.source;
  }

  private goTo(file: string | null, firstPart: number): void {
    if (file === this.latest) return;
    this.latest = file;
    if (file !== null) this.sink.place = placeIn(this.bundle, file, firstPart / FILE_PARTS);
    else this.sink.place = this.batch.name === null ? null : placeOf(this.batch.name);
  }

  private contextOf(file: string | null, firstPart: number): FormatContext {
    const { params } = this;
    const { receivedAt, name } = this.batch;
    if (file === null) return { params, receivedAt, name };
    const path = `${this.bundle}/${file}`;
    return { params, receivedAt, name: path, entry: path, firstPart };
  }
}

function mostOf(counts: ReadonlyMap<string, number>): string | null {
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}
