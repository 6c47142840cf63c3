/** Puts together what was cut apart: pieces of one long line (CRI `P`, docker's halves), and the lines of one record (tracebacks). */
import type { Format, Payload } from "./format";

/** A joined line above this many characters is given up, like any line that long. */
export const MAX_JOINED = 16 * 1024 * 1024;
/** Characters of unfinished lines held over all streams; past it the oldest is given up. */
const MAX_HELD = 64 * 1024 * 1024;
/** Lines after this many characters of one record are left out of its text; the cause stands at its ends, not in between. */
const MAX_RECORD = 256 * 1024;
/** Streams with a record that waits for its next line; past it the oldest is read as it is. */
const MAX_STREAMS = 10_000;

interface Pieces {
  first: Payload;
  texts: string[];
  length: number;
}

export type Joined = { whole: Payload } | { waits: true } | { tooLong: Payload };

/** Joins pieces per stream. A piece that is too long ends its line: what follows is a line of its own. */
export class PieceJoiner {
  private readonly open = new Map<string, Pieces>();
  private held = 0;

  constructor(private readonly maxJoined = MAX_JOINED) {}

  add(stream: string, payload: Payload): Joined {
    const known = this.open.get(stream);
    if (!known && !payload.partial) return { whole: payload };
    const pieces = known ?? { first: payload, texts: [], length: 0 };
    pieces.texts.push(payload.text);
    pieces.length += payload.text.length;
    this.held += payload.text.length;
    if (pieces.length > this.maxJoined) return { tooLong: this.close(stream, pieces) };
    if (!payload.partial) return { whole: this.close(stream, pieces) };
    this.open.set(stream, pieces);
    return { waits: true };
  }

  has(stream: string): boolean {
    return this.open.size > 0 && this.open.has(stream);
  }

  /** The oldest line that has to be given up because too much is held; null when there is room. */
  overflow(): Payload | null {
    if (this.held <= MAX_HELD) return null;
    const oldest = this.open.entries().next().value;
    return oldest ? this.close(...oldest) : null;
  }

  /** The first pieces of lines that are not whole. */
  waiting(): Payload[] {
    return [...this.open.values()].map((pieces) => pieces.first);
  }

  /** Lines whose last piece never came. */
  end(): Payload[] {
    return [...this.open].map(([stream, pieces]) => this.close(stream, pieces));
  }

  /** One payload at the time and line of its first piece. */
  private close(stream: string, { first, texts, length }: Pieces): Payload {
    this.open.delete(stream);
    this.held -= length;
    const whole: Payload = { ...first, text: texts.join("") };
    delete whole.partial;
    delete whole.json;
    return whole;
  }
}

interface Record {
  format: Format;
  payload: Payload;
  text: string;
}

/** Holds the last record of each stream until its next line shows that it is whole. */
export class RecordJoiner {
  private readonly last = new Map<string, Record>();

  constructor(private readonly read: (format: Format, payload: Payload) => void) {}

  has(stream: string): boolean {
    return this.last.size > 0 && this.last.has(stream);
  }

  /** Takes the line as a continuation of its stream's last record and says of what format; null when it begins a new one. */
  continues(stream: string, text: string): Format | null {
    const record = this.last.get(stream);
    if (!record?.format.continues?.(text, record.text)) return null;
    if (record.text.length < MAX_RECORD) record.text += `\n${text}`;
    return record.format;
  }

  /** A new record. Formats without continuations are read at once, after the record before them. */
  begin(stream: string, format: Format, payload: Payload): void {
    this.finish(stream);
    if (!format.continues) {
      this.read(format, payload);
      return;
    }
    if (this.last.size >= MAX_STREAMS) this.finish(this.last.keys().next().value as string);
    this.last.set(stream, { format, payload, text: payload.text });
  }

  /** Records that wait for their stream's next line, with all that was joined to them. */
  waiting(): { stream: string; payload: Payload }[] {
    return [...this.last].map(([stream, { payload, text }]) => ({ stream, payload: { ...payload, text } }));
  }

  /** Reads the record that waits for this stream's next line, if any. */
  finish(stream: string): void {
    const record = this.last.get(stream);
    if (!record) return;
    this.last.delete(stream);
    const { format, payload, text } = record;
    this.read(format, text === payload.text ? payload : { ...payload, text, json: undefined });
  }

  end(): void {
    for (const stream of [...this.last.keys()]) this.finish(stream);
  }
}
