/**
 * The archive: every line that was read, redacted, in compressed blocks. It serves raw lines with their neighbours, search
 * and replay. Not in it: rollout records, trajectories and whole documents, of which the store has a projection.
 */
import type { Evidence } from "./evidence";
import type { Origin } from "./taxonomy-words";

/** Who sent a line: said once a block, however many lines it sent. */
export interface ArchiveSender {
  /** Names the stream, as observations of it do: by pod and container where known, else by run and source. */
  stream: string;
  source: string;
  run: string | null;
  node: string | null;
  pod: string | null;
  podUid: string | null;
  sandbox: string | null;
  container: string | null;
  cluster: string;
  origin: Origin;
  /** What reading its lines again needs besides, as JSON; the store does not look inside. Missing in blocks of older versions. */
  replay?: string;
}

/** What reading a line again must know of it besides; of most lines nothing. */
export interface LineMarks {
  /** Which record of its line it is, from 0; each file of a bundle begins at a multiple of `FILE_PARTS`. Missing = 0. */
  part?: number;
  /** Severity by its envelope. */
  level?: Evidence["level"];
  /** `at` was read in the text: the envelope said no time. */
  ownTime?: true;
  /** The envelope had parsed the payload already. */
  parsed?: true;
  /** The beginning of a line whose rest never came. */
  partial?: true;
  /** No payload: a line that could not be opened, or was given up. */
  broken?: true;
  /** Not all that was read of it is kept: the end of its text, or what its envelope had parsed otherwise. */
  cut?: true;
}

/** Records of one line are fewer than this. */
export const FILE_PARTS = 2 ** 20;

export interface ArchiveLine extends LineMarks {
  /** In its delivery, 1-based. Payloads of one document share the line that the document begins on. */
  line: number;
  /** Epoch ms; null when nothing says. */
  at: number | null;
  /** Index into the senders of its block. */
  sender: number;
  /** The format that read it; null when none did. */
  format: string | null;
  /** The payload without its envelope: pieces joined, redacted, at most 64 KiB. */
  text: string;
}

/** Some thousand lines of one delivery whose senders are all of one run and one origin, so that a run can go whole. */
export interface ArchiveBlock {
  run: string | null;
  origin: Origin;
  firstLine: number;
  lastLine: number;
  /** How many lines are in it. */
  lines: number;
  /** Bit i (of byte i/8, the least first): line `firstLine + i` is in it. Null: all between first and last are. */
  present: Uint8Array | null;
  /** Least and greatest time of its lines, epoch ms. */
  firstAt: number | null;
  lastAt: number | null;
  senders: ArchiveSender[];
  /** Which tokens may be in it (`token-filter.ts`). */
  filter: Uint8Array;
  /** zstd of the encoded lines (`server/archive/block-codec.ts`). */
  bytes: Uint8Array;
  /** Size of the encoded lines before compression. */
  rawBytes: number;
}

/** A block as the store lists it: its bytes are asked for apart, its filter is the store's own business. */
export type StoredBlock = Omit<ArchiveBlock, "bytes" | "filter" | "present"> & {
  id: number;
  batch: string;
  /** When its delivery came, epoch ms. */
  receivedAt: number;
};

/** An empty or missing list does not filter. */
export interface ArchiveFilter {
  batches?: string[];
  runs?: string[];
  /** Blocks in which one of these streams has a line. */
  streams?: string[];
  /** Blocks that span this time (epoch ms, `from` inclusive, `to` exclusive); those without a time go by their receipt. */
  from?: number;
  to?: number;
  /** As `tokensOf` gives them: blocks that may have them all. A block in a hundred or fewer is a false alarm. */
  tokens?: string[];
  /** Only blocks that came after this one (its id). */
  newerThan?: number;
}
