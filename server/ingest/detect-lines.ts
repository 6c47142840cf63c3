/** One line → its envelope → pieces joined → continuation or new record → the first format that accepts it. */

import type { RejectCode } from "@/server/domain/facts";
import { EnvelopeChoice } from "./detect-envelope";
import { isCutJson, jsonValues, parsed, parsedBy, textsOf } from "./detect-json";
import type { ChosenReaders } from "./detect-names";
import { RepeatedBlocks } from "./detect-repeats";
import type { RoutineRecord } from "./detect-skim";
import type { Format, FormatContext, Payload, Unwrapped, Who } from "./format";
import { PieceJoiner, RecordJoiner } from "./join";
import { LineParts } from "./line-parts";
import type { Skim } from "./lines";
import { streamId } from "./natural-key";
import { StreamEdges } from "./pieces/stream-edges";
import type { RowSink } from "./sink";
import type { RoutineSender } from "./sink-who";

const LOOK_AT = 50;
export class LineReader {
  /** Payloads that some format or envelope knew how to read, and those that none did. */
  understood = 0;
  notUnderstood = 0;
  /** How often each format was asked to read. */
  readonly readBy = new Map<string, number>();
  private readonly envelopes: EnvelopeChoice;
  private readonly edges: StreamEdges;
  private readonly pieces = new PieceJoiner();
  private readonly parts = new LineParts();
  private readonly records: RecordJoiner;
  private readonly inSandbox: readonly Format[];
  private readonly repeats: RepeatedBlocks<RoutineSender>;
  /** Streams of senders that come again and again as the same object. */
  private readonly streams = new WeakMap<Who, string>();

  constructor(
    private readonly chosen: ChosenReaders,
    private readonly sink: RowSink,
    private readonly context: FormatContext,
  ) {
    this.inSandbox = chosen.formats.filter((one) => one.inSandbox || chosen.format === one);
    this.envelopes = new EnvelopeChoice(chosen);
    this.edges = new StreamEdges(context);
    this.records = new RecordJoiner((format, payload) => this.read(format, payload));
    this.repeats = new RepeatedBlocks(chosen, (who) => {
      this.streams.set(who, this.streamOf(who));
      sink.share(who);
    });
  }

  /** Ranks the envelopes by the beginning of the body (up to 64 KiB of text). */
  look(head: string): void {
    this.envelopes.look(head);
  }

  /** Reads routine lines from their bytes; null when it cannot. */
  skim(): Skim | null {
    const skimmer = this.repeats.skim;
    return skimmer && this.skimOne;
  }

  private readonly skimOne = (bytes: Buffer, from: number, to: number, number: number): boolean => {
    const record = this.repeats.skim?.read(bytes, from, to);
    return record ? this.routine(record, number) : false;
  };

  line(text: string, number: number, terminated: boolean): void {
    const repeated = terminated ? this.repeats.open(text, number) : null;
    if (repeated) {
      this.payload(repeated);
      return;
    }
    if (!/\S/.test(text)) return;
    if (text.includes("\0")) {
      this.unreadLine(number, "unreadable", "the line holds binary data", text);
      return;
    }
    if (!terminated && /^\s*[{[]/.test(text) && isCutJson(text)) {
      const values = jsonValues(text);
      // A last line without newline that does not parse was cut off by a rotation or a crash.
      if (values !== null) this.each(values, number);
      else this.unreadLine(number, "incomplete", "the last record is cut off before its end", text);
      return;
    }
    if (/^\s*\[\s*\{/.test(text) && this.array(text, number)) return;
    this.opened(this.envelopes.open(text, number, this.clock), text, number);
  }

  /** A text that only a whole document's reader can open; false when none is sure of it. */
  document(text: string, line: number): boolean {
    const head = text.slice(0, 65_536);
    const unwrapped = this.envelopes.sureOf(head)?.open(text, line, this.clock);
    if (unwrapped) {
      this.opened(unwrapped, text, line);
      return true;
    }
    const payload: Payload = {
      who: this.context.entry === undefined ? {} : { source: this.context.entry },
      at: null,
      text,
      line,
      part: this.parts.next(line),
    };
    const format = this.chosen.formats.find((one) => one.unit === "document" && one.accepts(payload));
    if (!format) return false;
    this.understood++;
    this.read(format, payload);
    return true;
  }

  /** Records that are begun, and read when their stream goes on or the delivery ends. */
  get waiting(): Payload[] {
    return [...this.pieces.waiting(), ...this.records.waiting().map((one) => one.payload)];
  }

  end(): void {
    for (const payload of this.pieces.end()) {
      this.sink.made = this.edges.ends(this.streamOf(payload.who), { ...payload, partial: true });
      this.understood++;
      this.sink.archive.keep(null, payload, { partial: true });
      this.sink.unread(payload.line, "incomplete", "the rest of the line never came", payload.text, payload.part);
    }
    for (const { stream, payload } of this.records.waiting()) {
      this.sink.made = this.edges.ends(stream, payload);
      this.records.finish(stream);
    }
    this.sink.made = null;
    this.sink.pieces(this.edges.close());
  }

  /** Counts a record that no format could be asked about. */
  unread(line: number, code: RejectCode, message: string, sample: string, part: number | null = null): void {
    this.notUnderstood++;
    this.sink.unread(line, code, message, sample, part);
  }

  /** A line of which not even the sender is known. */
  private unreadLine(line: number, code: RejectCode, message: string, text: string): void {
    this.unread(line, code, message, text, this.keepLine(line, text));
  }

  /** Returns which record of the line it counts as. */
  private keepLine(line: number, text: string): number {
    const part = this.parts.next(line);
    this.sink.archive.keep(null, { who: {}, at: null, line, part, text }, { broken: true });
    return part;
  }

  private get clock() {
    return { tz: this.context.params.tz, receivedAt: this.context.receivedAt };
  }

  private opened(unwrapped: Unwrapped, text: string, number: number): void {
    if (unwrapped === null) {
      this.unreadLine(number, "unknown_format", `not a ${this.chosen.envelope?.name} record`, text);
    } else if ("reject" in unwrapped) {
      this.understood++;
      const { code, message } = unwrapped.reject;
      this.sink.unread(number, code, message, text, this.keepLine(number, text));
    } else {
      for (const payload of unwrapped.payloads) this.payload(payload);
    }
  }

  /** Takes a record that is known for routine; false when something of its stream still waits for it, or its text must be looked at. */
  private routine({ routine, from, at, text }: RoutineRecord<RoutineSender>, line: number): boolean {
    from.memo ??= this.sink.routineSender(from.who, this.streams.get(from.who) ?? this.streamOf(from.who));
    const { stream } = from.memo;
    if (this.pieces.has(stream) || this.records.has(stream)) return false;
    if (!this.sink.readRoutine(routine, from.memo, line, at, text)) return false;
    this.edges.inside(stream);
    this.understood++;
    this.count(routine);
    return true;
  }

  /** Takes one record out of its envelope. */
  payload(payload: Payload): void {
    if (this.context.entry !== undefined) payload.who.source ??= this.context.entry;
    payload.part ??= this.parts.next(payload.line);
    const stream = this.streams.get(payload.who) ?? this.streamOf(payload.who);
    const joined = this.pieces.add(stream, payload);
    const lost = "tooLong" in joined ? joined.tooLong : this.pieces.overflow();
    if (lost) {
      this.sink.archive.keep(null, lost, { broken: true });
      this.unread(lost.line, "too_large", "the joined line is too long", lost.text, lost.part);
    }
    if (!("whole" in joined)) return;
    const whole = joined.whole;
    if (!/\S/.test(whole.text) && whole.json === undefined) return;
    this.whole(stream, whole);
    this.sink.made = null;
  }

  /** A line that is put together, of which it is open whether it begins a record. */
  private whole(stream: string, whole: Payload): void {
    this.sink.made = this.edges.leading(stream);
    const as = parsedBy(whole);
    const longer = this.records.continues(stream, whole.text);
    if (longer) {
      this.edges.goesOn(stream, whole);
      this.sink.archive.keep(longer, whole, { ...as, goesOn: true });
      return;
    }
    const asked = whole.who.container === "sandbox" ? this.inSandbox : this.chosen.formats;
    const format = asked.find((one) => one.accepts(whole)) ?? null;
    this.sink.archive.keep(format, whole, as);
    this.records.finish(stream);
    this.sink.made = this.edges.begins(stream, whole, format);
    if (format) {
      this.understood++;
      this.records.begin(stream, format, whole);
      return;
    }
    if (this.sink.made) this.understood++;
    const none = this.chosen.format ? `format ${this.chosen.format.name} does not read` : "no format reads";
    this.unread(whole.line, "unknown_format", `${none} this record`, whole.text, whole.part);
  }

  private count(format: Format): void {
    this.readBy.set(format.name, (this.readBy.get(format.name) ?? 0) + 1);
  }

  private streamOf(who: Who): string {
    const { run, source, cluster } = this.context.params;
    return streamId(cluster, who, { run, source });
  }

  private read(format: Format, payload: Payload): void {
    this.count(format);
    this.sink.read(format, payload, () => format.read(payload, this.sink, this.context));
  }

  /** Shippers that speak HTTP send one JSON array of records; each is a line of its own. */
  private array(text: string, number: number): boolean {
    const items = parsed(text);
    if (Array.isArray(items)) this.items(items, number);
    return Array.isArray(items);
  }

  private each(lines: readonly string[], number: number): void {
    for (const line of lines) this.opened(this.envelopes.open(line, number, this.clock), line, number);
  }

  /** Records that a list holds. The bracket before them hid their envelope from the look at the body's beginning. */
  items(items: readonly unknown[], number: number): void {
    const lines = textsOf(items) ?? [];
    if (lines.length < items.length) this.unread(number, "unreadable", "the list is nested too deep", "");
    this.envelopes.within(`${lines.slice(0, LOOK_AT).join("\n")}\n`, () => this.each(lines, number));
  }
}
