/** Turns what formats read into the rows of one segment: keys, refs, links, classes; redacted and bounded before anything is kept. */
import { BUILT_IN, type Classifier } from "@/server/classify/classifier";
import type { DeliveryParams } from "@/server/domain/batch";
import type { Evidence } from "@/server/domain/evidence";
import type { Fact, Link, Observation, RejectCode } from "@/server/domain/facts";
import type { Piece } from "@/server/domain/pieces";
import { makeRef } from "@/server/domain/refs";
import type { Origin } from "@/server/domain/taxonomy-words";
import type { EscapedText } from "./archive-lines";
import { type Place, withPlace } from "./bundles/place";
import type { Format, Payload, Seen, SeenRollout, Sink, Who } from "./format";
import { LineArchive, type LineKeeper } from "./line-archive";
import { rolloutIds } from "./natural-key";
import { redact, redactFields } from "./redact";
import { RecordKeys } from "./sink-key";
import { numberFault, RolloutMaker } from "./sink-rollout";
import { Segment, type TakenSegment } from "./sink-segment";
import { subjectOf } from "./sink-subject";
import { boundText } from "./sink-text";
import { CANARY_LABEL, type RoutineSender, WhoBook } from "./sink-who";

const MAX_SAMPLE = 500;

/** What a delivery made of one piece on its own. */
export type Made = Pick<Piece, "keys" | "rejects">;

export class RowSink implements Sink {
  private readonly keys: RecordKeys;
  private readonly rollouts: RolloutMaker;
  private readonly who: WhoBook;
  /** Raw lines of this delivery. */
  readonly archive: LineKeeper;
  private segment = new Segment();
  private format = "";
  private calls = 0;
  /** Which record of its line is read; null for what is none. */
  private part: number | null = null;
  private readFrom: Place | null = null;
  /** Where what is made of an end of a stream is noted besides. */
  made: Made | null = null;
  /** Code of the latest reject. */
  lastReject: RejectCode = "unknown_format";

  constructor(
    private readonly params: DeliveryParams,
    private readonly classifier: Classifier = BUILT_IN,
    archive?: LineKeeper,
  ) {
    this.keys = new RecordKeys(params);
    this.rollouts = new RolloutMaker(params);
    this.who = new WhoBook(params);
    const runOf = (who: Who) => this.runOf(who, undefined);
    this.archive = archive ?? new LineArchive(params, { runOf, originOf: (who) => this.originOf(who) });
  }

  /** Lets a format read one payload. Whatever it makes of it, the payload is counted once: nothing vanishes in silence. */
  read(format: Pick<Format, "name">, payload: Payload, reading: () => void): void {
    this.format = format.name;
    this.calls = 0;
    this.keys.begin();
    this.part = this.partOf(payload.part);
    this.segment.counts.records++;
    try {
      reading();
    } catch (error) {
      // A format must not throw; when it does on odd input, the record is shown and the delivery goes on.
      const why = error instanceof Error ? error.name : "error";
      this.reject(payload.line, "unreadable", `${format.name} could not read the record (${why})`, payload.text);
    }
    if (this.calls === 0) this.routine(payload);
    this.part = null;
  }

  /** The file that is read, where its name says something. */
  set place(place: Place | null) {
    this.readFrom = place;
    this.archive.at(place);
  }

  /** What is kept with a sender whose routine records come as bytes, so that it need not be looked up for each. */
  routineSender(who: Who, stream: string): RoutineSender {
    return {
      who,
      stream,
      run: this.runOf(who, undefined),
      sender: this.archive.senderOf(who),
      known: null,
      edition: 0,
    };
  }

  /** A record that its format knows for routine by its bytes. False, and nothing is done, when its text must be looked at. */
  readRoutine(
    { name }: Pick<Format, "name">,
    from: RoutineSender,
    line: number,
    at: number | null,
    text: EscapedText,
  ): boolean {
    if (!this.archive.keepRoutine(name, from.sender, line, at, text)) return false;
    this.segment.counts.records++;
    this.segment.counts.routine++;
    this.who.sawRoutine(from, name, at);
    return true;
  }

  observe(payload: Payload, seen: Seen): void {
    this.calls++;
    const run = this.runOf(payload.who, seen.run);
    const at = seen.at === undefined ? payload.at : seen.at;
    const subject = subjectOf(seen, payload.who, at, { params: this.params, run });
    this.segment.links(subject.links);
    this.saw(payload, run, at);
    const row: Omit<Observation, "evidence" | "class" | "rule" | "subCause" | "confidence" | "rulesVersion"> = {
      key: this.keys.next(payload, seen, at, run),
      refs: subject.refs,
      at,
      atAssumed: seen.atAssumed ?? false,
      line: payload.line,
      ...(this.part && { part: this.part }),
      cluster: this.params.cluster,
      run,
      node: subject.node,
      source: payload.who.source ?? this.params.source,
      origin: this.originOf(payload.who),
      text: boundText(redact(seen.text ?? payload.text)),
      label: seen.label === undefined ? null : boundText(redact(seen.label), MAX_SAMPLE),
    };
    this.made?.keys.push(row.key);
    this.segment.observation(this.judged(row, seen.evidence));
  }

  link(link: Link): void {
    this.calls++;
    this.segment.links([link]);
  }

  fact(fact: Fact): void {
    this.calls++;
    this.segment.fact({ ...fact, value: typeof fact.value === "string" ? redact(fact.value) : fact.value });
  }

  rollout(payload: Payload, seen: SeenRollout): void {
    this.calls++;
    const { line, text: raw, who } = payload;
    const fault = numberFault(seen);
    if (fault) {
      this.addReject(line, "invalid_type", fault, raw);
      return;
    }
    const run = this.runOf(who, seen.run ?? this.readFrom?.job ?? undefined);
    const source = who.source ?? this.params.source;
    const made = this.rollouts.make(seen, run, source, this.originOf(who));
    this.segment.rollout(made.record);
    this.segment.links(made.links);
    const at = seen.endedAt ?? seen.startedAt;
    for (const one of made.evidence) {
      const text = one.evidence.message ?? made.record.error ?? "";
      const common = { at, atAssumed: false, line, ...(this.part && { part: this.part }) };
      const where = { node: seen.node, source, origin: made.record.origin, label: null, text: boundText(redact(text)) };
      const whose = { key: one.key, refs: one.refs, cluster: this.params.cluster, run };
      this.segment.observation(this.judged({ ...whose, ...common, ...where }, one.evidence));
    }
  }

  planned({ task, index, run: own }: { task: string; index: number; run?: string | null }): void {
    this.calls++;
    const run = this.params.run ?? own ?? this.readFrom?.job ?? null;
    const { group } = rolloutIds({ run, task, index, attempt: 0 });
    this.segment.planned({ run, task, index, group }, makeRef("group", this.params.cluster, group));
  }

  routine(payload: Payload): void {
    this.calls++;
    this.segment.counts.routine++;
    this.saw(payload, this.runOf(payload.who, undefined), payload.at);
  }

  reject(line: number, code: RejectCode, message: string, sample: string): void {
    this.calls++;
    this.addReject(line, code, message, sample);
  }

  /** A line that no format was asked to read; `part` where it is a record of its line. */
  unread(line: number, code: RejectCode, message: string, sample: string, part: number | null = null): void {
    this.segment.counts.records++;
    this.part = part === null ? null : this.partOf(part);
    this.addReject(line, code, message, sample);
  }

  /** This sender will come again as the same object, so what is known of it need not be looked up by its ids. */
  share(who: Who): void {
    this.who.share(who);
  }

  pieces(pieces: Piece[]): void {
    this.segment.pieces(pieces);
  }

  /** Rows and counts since the last call; with `last`, also what was counted over the whole delivery. */
  take(last: boolean): TakenSegment {
    const segment = this.segment;
    this.segment = new Segment();
    return segment.close(last ? this.who.rest() : this.who.fresh(), this.archive.records());
  }

  /** Rows held, as a measure of when to write them. */
  get size(): number {
    return this.segment.size;
  }
  get records(): number {
    return this.segment.counts.records;
  }

  private partOf(part = 0): number {
    return part + (this.readFrom?.firstPart ?? 0);
  }

  private addReject(line: number, code: RejectCode, message: string, sample: string): void {
    this.lastReject = code;
    const shown = boundText(redact(sample.slice(0, MAX_SAMPLE * 2)), MAX_SAMPLE);
    const told = boundText(redact(withPlace(this.readFrom, message)), MAX_SAMPLE);
    this.made?.rejects.push({ line, sample: shown });
    this.segment.reject({ line, part: this.part, code, message: told, sample: shown });
  }

  private saw(payload: Payload, run: string | null, at: number | null): void {
    this.who.saw(payload.who, run, this.format, at);
  }

  /** `?run=` is an assertion for the whole delivery; then comes the label, then what the record itself says. */
  private runOf(who: Who, own: string | undefined): string | null {
    return this.params.run ?? who.run ?? own ?? null;
  }

  private originOf(who: Who): Origin {
    return who.labels?.[CANARY_LABEL] === undefined ? this.params.origin : "canary";
  }

  /** The class is given to what is stored, so that a replay of the stored evidence gives the same. */
  private judged(
    row: Omit<Observation, "evidence" | "class" | "rule" | "subCause" | "confidence" | "rulesVersion">,
    seen: Evidence,
  ): Observation {
    const evidence = redactFields(seen);
    if (evidence.message !== undefined) evidence.message = boundText(evidence.message);
    const found = this.classifier.classify(evidence, { source: row.source, format: this.format });
    return Object.assign(row, { evidence, ...found, rulesVersion: this.classifier.version });
  }
}
