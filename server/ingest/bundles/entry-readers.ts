/** Reads the files of a bundle one by one, each like a delivery of its own name, and answers for all of them together. */
import type { CoalmineError } from "@/server/domain/errors";
import { DeliveryReader } from "../detect";
import type { Readers } from "../detect-names";
import type { FormatContext } from "../format";
import type { RowSink } from "../sink";
import { placeIn } from "./place";

export class EntryReaders {
  private current: DeliveryReader | null = null;
  private path = "";
  private files = 0;
  private readonly readBy = new Map<string, number>();
  private understood = 0;
  private refused: CoalmineError | null = null;
  private ended = false;

  /** `name` of the bundle stands before each of its files' names. */
  constructor(
    private readonly context: FormatContext,
    private readonly sink: RowSink,
    private readonly readers: Readers,
    private readonly name: string,
  ) {}

  begin(path: string): void {
    const name = `${this.name}/${path}`;
    this.path = path;
    const place = placeIn(this.name, path, this.files++);
    this.sink.place = place;
    const context = { ...this.context, name, entry: name, firstPart: place.firstPart };
    this.current = new DeliveryReader(context, this.sink, this.readers);
  }

  push(chunk: Uint8Array): void {
    this.current?.push(chunk);
  }

  /** The file is over. */
  close(): void {
    const reader = this.current;
    this.current = null;
    if (!reader) return;
    reader.end();
    if (reader.nothingUnderstood) {
      this.refused ??= prefixed(reader.refusal(), this.path);
    } else if (reader.format !== "auto") {
      this.understood++;
      this.readBy.set(reader.format, (this.readBy.get(reader.format) ?? 0) + 1);
    }
    this.sink.place = null;
  }

  end(): void {
    this.close();
    this.ended = true;
  }

  /** Only the whole bundle can be said to hold nothing. */
  get nothingUnderstood(): boolean {
    return this.ended && this.understood === 0 && this.refused !== null;
  }

  /** The format that read most of the files. */
  get format(): string {
    const { format } = this.context.params;
    const most = [...this.readBy].sort((a, b) => b[1] - a[1])[0];
    return format === "auto" && most ? most[0] : format;
  }

  refusal(): CoalmineError {
    if (this.refused) return this.refused;
    throw new Error("asked for a refusal of a bundle that was read");
  }
}

function prefixed(error: CoalmineError, path: string): CoalmineError {
  error.message = `${path}: ${error.message}`;
  return error;
}
