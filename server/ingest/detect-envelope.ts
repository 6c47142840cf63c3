/** Which envelope a line is in: most lines of a body are in that of its beginning. */
import type { ChosenReaders } from "./detect-names";
import type { Envelope, Unwrapped } from "./format";
import type { Clock } from "./formats/times";

/** Certainty from which a single odd line is taken to be in another envelope than the rest. */
const SURE = 0.5;

export class EnvelopeChoice {
  private candidates: readonly Envelope[] = [];

  constructor(private readonly chosen: ChosenReaders) {}

  /** Ranks the envelopes by the beginning of the body (up to 64 KiB of text). */
  look(head: string): void {
    if (this.chosen.envelope) {
      this.candidates = [this.chosen.envelope];
      return;
    }
    const sure = this.chosen.envelopes.map((envelope) => ({ envelope, score: envelope.detect(head) }));
    // Sorting is stable: of two that are equally sure the earlier one of the list comes first.
    this.candidates = sure
      .filter((one) => one.score > 0)
      .sort((a, b) => b.score - a.score)
      .map((one) => one.envelope);
  }

  /** Looks anew for the records of a list that begins so. */
  within(head: string, read: () => void): void {
    const before = this.candidates;
    this.look(head);
    read();
    this.candidates = before;
  }

  sureOf(head: string): Envelope | undefined {
    return this.chosen.envelopes.find((one) => one.detect(head) >= SURE);
  }

  open(text: string, number: number, clock: Clock): Unwrapped {
    for (const envelope of this.candidates) {
      const unwrapped = envelope.open(text, number, clock);
      if (unwrapped) return unwrapped;
    }
    if (this.chosen.envelope) return null;
    for (const envelope of this.chosen.envelopes) {
      if (this.candidates.includes(envelope) || envelope.detect(text) < SURE) continue;
      const unwrapped = envelope.open(text, number, clock);
      if (unwrapped) return unwrapped;
    }
    return { payloads: [{ who: {}, at: null, text, line: number }] };
  }
}
