/** The web process's end of the reader threads: an object that answers like the store itself. */
import { CoalmineError } from "@/server/domain/errors";
import type { Store } from "@/server/domain/store";
import type { ThreadData } from "@/server/threads/messages";
import { Thread } from "@/server/threads/thread";
import { READING_NAMES, type Reading } from "../search-reading";

/** Methods of the store that only read. */
export const READS = [
  "batch",
  "batchByDigest",
  "batches",
  "rejects",
  "unsettled",
  "judgedOtherwise",
  "observationsBefore",
  "countBefore",
  "givesSpaceBack",
  "rowsJudgedOtherwise",
  "observationsOf",
  "observationsByKey",
  "observationBatches",
  "linksFrom",
  "linksTo",
  "factsOf",
  "rolloutsOfGroups",
  "rolloutsOfIds",
  "incidentsOf",
  "supersededBy",
  "archiveBlocks",
  "archiveBytes",
  "archiveBlockOf",
  "readOtherwise",
  "keptOf",
  "blocksOf",
  "piecesOfBatch",
  "madeOf",
  "countRollouts",
  "listRollouts",
  "rolloutOutcomes",
  "countIncidents",
  "listIncidents",
  "countObservations",
  "countSightings",
  "runFacts",
  "missingRollouts",
  "countPlanned",
  "nodes",
  "dataVersion",
  "unsettledCount",
  "bytes",
  "runSettings",
  "allRunSettings",
  "setting",
] as const satisfies readonly (keyof Store)[];
export type ReadName = (typeof READS)[number];

export class ReaderClient {
  private readonly threads: Thread[];

  constructor({ script, data, threads = 2 }: { script: string; data: ThreadData; threads?: number }) {
    this.threads = Array.from({ length: threads }, () => new Thread({ script, data }));
  }

  async ready(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.ready()));
  }

  /** The store's questions; each goes to the thread with the least in hand. */
  reads(): Pick<Store, ReadName> {
    const entries = READS.map((name) => [name, (...args: unknown[]) => this.least().call(name, args)]);
    return Object.fromEntries(entries) as Pick<Store, ReadName>;
  }

  /** Questions that read many blocks of raw lines, each answered in one thread as a whole. */
  reading(): Reading {
    const entries = READING_NAMES.map((name) => [name, (input: unknown) => this.least().call(name, [input])]);
    return Object.fromEntries(entries) as unknown as Reading;
  }

  async stop(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.stop()));
  }

  private least(): Thread {
    const [first, ...others] = this.threads;
    if (!first) throw new CoalmineError("unavailable", "No reader is running.");
    return others.reduce((least, thread) => (thread.busy < least.busy ? thread : least), first);
  }
}
