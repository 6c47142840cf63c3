/**
 * The two plug-in shapes of ingest. An envelope says who sent a record and when; a format turns the payload into facts.
 * Adding one is one file in `envelopes/` or `formats/`, one line in its list, and a fixture folder.
 * Both are pure: no I/O, no clock (`receivedAt` is given), no randomness.
 */
import type { DeliveryParams } from "@/server/domain/batch";
import type { Evidence } from "@/server/domain/evidence";
import type { Fact, Link, Reject } from "@/server/domain/facts";
import type { RolloutRecord } from "@/server/domain/rollout";
import type { Clock } from "./formats/times";

/** Who sent a record and when, as far as the envelope knows; missing is left out. */
export interface Who {
  node?: string;
  namespace?: string;
  pod?: string;
  podUid?: string;
  podIp?: string;
  container?: string;
  /** `stdout` or `stderr`. */
  stream?: string;
  sandbox?: string;
  run?: string;
  labels?: Record<string, string>;
  /** What wrote it, e.g. a file name or service; falls back to the delivery's source. */
  source?: string;
}

/** One payload taken out of its envelope. */
export interface Payload {
  who: Who;
  /** Epoch ms by the envelope's clock; null when it has none. */
  at: number | null;
  /** That time as it was written, where it may be finer than `at`. */
  time?: string;
  /** The payload's text; for a document format the whole document. */
  text: string;
  /** The payload, already parsed by the envelope (Fluent Bit's `log_processed`). */
  json?: unknown;
  /** Severity by the envelope (OTLP); the record's own is better. */
  level?: Evidence["level"];
  /** `partial` asks for the next piece of the same stream (CRI `P`, docker's 16 KB halves). */
  partial?: boolean;
  /** 1-based line in the decoded body. */
  line: number;
  /** Which record of its line it is (a document's share the line that it begins on), in order; missing = 0. */
  part?: number;
}

/** `null`: the line is not in this envelope. Never throws; what it can half read is a reject. */
export type Unwrapped = { payloads: Payload[] } | { reject: Pick<Reject, "code" | "message"> } | null;

export interface Envelope {
  name: string;
  /** As of a format. */
  edition?: number;
  /** Certainty 0–1 that a body starting so is in this envelope. `head` is up to 64 KiB of text. */
  detect(head: string): number;
  /** `clock` dates records without a year or zone; without it such records have no time. A document envelope takes the whole document as its line. */
  open(line: string, lineNumber: number, clock?: Clock): Unwrapped;
}

/** Where a format puts what it read. Filled in by `sink.ts`, which makes keys, refs, redaction and classes. */
export interface Sink {
  observe(payload: Payload, seen: Seen): void;
  link(link: Link): void;
  fact(fact: Fact): void;
  rollout(payload: Payload, rollout: SeenRollout): void;
  /** `run` as the record itself says it, where the delivery says none. */
  planned(plan: { task: string; index: number; run?: string | null }): void;
  /** A line that was read and needs no row of its own. */
  routine(payload: Payload): void;
  reject(line: number, code: Reject["code"], message: string, sample: string): void;
}

/** What a format read in one record. Ids are plain; the sink adds cluster and makes refs. */
export interface Seen {
  evidence: Evidence;
  /** Text shown for it; default the payload's text. */
  text?: string;
  /** Epoch ms by the record itself; default the envelope's. */
  at?: number | null;
  atAssumed?: boolean;
  label?: string;
  /** What it is about, most specific first. The sink turns them into refs in this order: sandbox, pod, rollout, attempt, node, stream. */
  sandbox?: string;
  podUid?: string;
  /** `namespace/name`, or a bare name. */
  podName?: string;
  podIp?: string;
  /** Harness's own name of the attempt. */
  attempt?: string;
  node?: string;
  run?: string;
  /** Also file it under the stream it came from (a `created` that ends a create's retries). */
  alsoStream?: boolean;
  /** Natural key where the record has its own (a Kubernetes event's UID and count). */
  naturalKey?: string;
  /** Known to be about a rollout of this delivery. */
  rollout?: { task: string; index: number; attempt: number };
}

/** A rollout as a format reads it; the sink adds run, ids, cluster and origin. */
export type SeenRollout = Omit<
  RolloutRecord,
  "id" | "group" | "content" | "cluster" | "origin" | "source" | "run" | "index"
> & {
  run?: string | null;
  /** null: the row has none; it is then the next one of its task in this delivery. */
  index: number | null;
  /** Harness's own name of the attempt (`Seen.attempt` of its other lines), when lines are all that ties it to a sandbox. */
  attemptName?: string;
  /** Failure evidence that the record itself carries; becomes observations about its sandbox or itself. */
  evidence: Evidence[];
};

export interface FormatContext {
  params: DeliveryParams;
  receivedAt: number;
  /** Name of the file that is read, with its folders where they are known (`t1__abc/result.json`): records that do not name themselves are named by it. */
  name?: string | null;
  /** Of a file in an archive: what stands for its source. */
  entry?: string;
  /** Number of that file's first records (`part`); missing = 0. */
  firstPart?: number;
}

export interface Format {
  name: string;
  /** One plain sentence for docs and the Deliveries page. */
  title: string;
  /** Raised when it reads more than before, or otherwise: what is stored is then offered to be read again. Missing = 1. */
  edition?: number;
  /** `line`: each payload alone. `document`: the whole body is one document. */
  unit: "line" | "document";
  /** Also reads what the sandbox container prints. All else there is the agent's, whatever it looks like, and no other format is asked. */
  inSandbox?: true;
  /**
   * Do its lines go into the archive of raw lines? Default: `lines` for lines, `none` for documents. `none` is for records of which
   * the store has a projection already: rollouts, trajectories, Kubernetes objects.
   */
  archive?: "lines" | "none";
  /** Does this payload look like ours? Cheap; asked for each line in list order until one says yes. */
  accepts(payload: Payload): boolean;
  /** Is this line a continuation of the record before it (traceback lines)? Asked only for streams whose last line was ours. `soFar` is that record with what was joined already. */
  continues?(text: string, soFar?: string): boolean;
  /**
   * Is the record that stands, escaped once, in `bytes` between `from` and `to` surely ours and routine? A short cut for the mass of
   * lines: yes only where `accepts` and `read` would come to `sink.routine` and nothing else, if it is valid JSON text.
   */
  routineInJson?(bytes: Uint8Array, from: number, to: number): boolean;
  read(payload: Payload, sink: Sink, context: FormatContext): void;
}
