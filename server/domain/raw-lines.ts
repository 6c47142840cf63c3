/** Raw lines as the API shows them: found by search, or beside one that is known. */
import type { IncidentAnswer, List, RolloutAnswer } from "./answers";
import type { Origin } from "./taxonomy-words";

export interface RawLine {
  /** Where it stands: its delivery, the line there, and which of the records that share this line (0 = the first). */
  batch: string;
  line: number;
  part: number;
  at: string | null;
  run: string | null;
  node: string | null;
  pod: string | null;
  container: string | null;
  sandbox: string | null;
  source: string;
  /** The format that read it; null when none did. */
  format: string | null;
  origin: Origin;
  text: string;
  /** The text goes on: only its beginning, or the surroundings of the first match, is here. */
  cut: boolean;
  /** Where what was asked for stands in `text`: [from, to) in UTF-16 units. */
  matches: [number, number][];
}

/** How far a search has looked. A call reads a bounded number of blocks; `next` goes on where it stopped. */
export interface Looked {
  blocks: number;
  lines: number;
  /** Everything newer was looked at; null at the end of what is kept. */
  back: string | null;
}

export interface SearchAnswer extends List<RawLine> {
  looked: Looked;
}

/** Incidents and rollouts whose own words match, newest first, of the newest `of` that there are. */
export interface SearchBeside {
  incidents: IncidentAnswer[];
  rollouts: RolloutAnswer[];
  of: { incidents: number; rollouts: number };
}

/** One line between those that its stream, or its whole delivery, wrote before and after it. */
export interface LinesAround {
  before: RawLine[];
  line: RawLine;
  after: RawLine[];
}

/** New lines since the last look. */
export interface Tail {
  items: RawLine[];
  /** Matching lines that were left out, because more came than can be read along. */
  skipped: number;
  /** Lines that nobody looked through, for the same reason. */
  unread: number;
  /** The newest block that there is: the next look begins after it. */
  after: number;
}
