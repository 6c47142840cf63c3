/** Reading the lines of the archive again: what is asked for that, and the replacement of what was made of them at first. */
import type { StoredBlock } from "./archive";
import type { Observation, Reject } from "./facts";
import type { StoredPiece } from "./pieces";
import type { BatchCounts, FactRows } from "./segment";

/** A record of a delivery: which one of which line. */
export interface RecordPlace {
  line: number;
  part: number;
}

/** What a delivery brought that stands at some of its records. Rows that were joined from several deliveries are left out. */
export interface MadeOfRecords {
  observations: { row: string; observation: Observation }[];
  /** Also those that stand aside. */
  rejects: { row: string; reject: Reject }[];
}

/** One step of reading a delivery again. */
export interface RereadStep {
  batch: string;
  /** Rows that go. */
  gone: { observations: string[]; rejects: string[] };
  /** What comes; its blocks of raw lines stay, so `archive` is empty. Pieces and sightings come with the last step. */
  rows: FactRows;
  /** Blocks of which the lines say otherwise by now what read them. */
  blocks: { id: number; bytes: Uint8Array; rawBytes: number }[];
  done: RereadEnd | null;
}

export interface RereadEnd {
  readerVersion: string;
  /** Pieces that go, by id, with what was joined to them. */
  pieces: number[];
  /** Formats whose counted lines stay; those of all others this step's replace. Null: all stay. */
  sightingsStay: string[] | null;
  /** When all of its records were read again: what is known of it by now. Null when it also brought what cannot be: that stays. */
  whole: RereadWhole | null;
}

export interface RereadWhole {
  counts: Omit<BatchCounts, "bytes" | "duplicates">;
  format: string;
  rulesVersion: string;
  /** All that its lines give: others that it brought go. Null when that is too much to be held: none go. */
  only: Pick<FactRows, "links" | "facts" | "rollouts" | "planned"> | null;
}

/** What was kept of a delivery when it came. */
export interface KeptDelivery {
  /** The format that it was sent as, a name or `auto`. */
  asked: string;
  lines: number;
  /** Records that are not kept as lines. */
  unkept: number;
}

/** The store's part in reading again. */
export interface Rereads {
  /** Complete deliveries with archived lines that readers of another version read, oldest first, and how many lines that is. Of
   * deliveries of before versions were kept nothing can be read again: they are counted apart. */
  readOtherwise(version: string): Promise<{ batches: string[]; lines: number; older: number }>;
  /** Of a complete delivery; null when it is not known, or there is no such delivery. */
  keptOf(batch: string): Promise<KeptDelivery | null>;
  /** A delivery's blocks after this one (its id), in the order in which they were kept. */
  blocksOf(batch: string, after: number, limit: number): Promise<StoredBlock[]>;
  piecesOfBatch(batch: string): Promise<StoredPiece[]>;
  madeOf(batch: string, places: RecordPlace[]): Promise<MadeOfRecords>;
  /** Replaces rows and queues what that touches: one transaction. False, and nothing is done, when the delivery is no longer there. */
  reread(step: RereadStep): Promise<boolean>;
}
