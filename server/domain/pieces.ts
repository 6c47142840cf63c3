import type { Observation } from "./facts";
import type { Origin } from "./taxonomy-words";

/** Lines of one record are written at once: a longer pause in their stream ends it. */
export const MAX_PAUSE_MS = 10_000;

/**
 * Lines of one stream at an end of a delivery, where a record may have been cut in two. Each delivery also reads them as
 * they are; what it made of them stands aside once the other part is there.
 */
export interface Piece {
  /** Names the stream and how it was sent: pieces of one name may belong together. */
  stream: string;
  /** `head`: its first line begins a record. `tail`: its last line ends one. `middle`: neither is sure. */
  edge: "head" | "middle" | "tail";
  /** Epoch ms of its first line, and the nanoseconds (0–999 999) past it; of its last line. */
  from: number;
  nanos: number;
  until: number;
  run: string | null;
  origin: Origin;
  /** Its lines and their sender as JSON, redacted; the store does not look inside. */
  body: string;
  /** Keys of the observations that the delivery made of it on its own, and the lines of it that it rejected. */
  keys: string[];
  rejects: PieceReject[];
}

/** A reject of a delivery: several payloads may stand on one line. */
export interface PieceReject {
  line: number;
  sample: string;
}

export interface StoredPiece extends Piece {
  id: number;
  /** Id of its delivery. */
  batch: string;
}

/** What of a piece's own reading stands aside, and what is said instead now that its record is whole. */
export interface PieceJoin {
  piece: number;
  keys: string[];
  rejects: PieceReject[];
  observations: Observation[];
}

/** The store's part in joining them. */
export interface Pieces {
  /** Streams with pieces that came, or whose neighbours came or went, since `join` last saw them; those where
   * nothing is near enough to be joined may be left out. */
  unjoinedStreams(limit: number): Promise<string[]>;
  /** Every piece of a stream; those that are an hour older than a newer one and stand alone may be gone. By id. */
  piecesOf(stream: string): Promise<StoredPiece[]>;
  /**
   * Takes back all that was joined in this stream, then puts `joins` in its place: the named rows of a piece's delivery
   * count no more, and its `observations` are added to that delivery. Queues what changes. One transaction; nothing is
   * done when the stream has other pieces by now than those of `seen`. A piece that is dropped takes its stream's joins back.
   */
  join(change: { stream: string; seen: number[]; joins: PieceJoin[] }): Promise<void>;
}
