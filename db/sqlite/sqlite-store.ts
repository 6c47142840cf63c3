/** The Store on one SQLite file, put together from its parts. */
import type { Store } from "@/server/domain/store";
import { appendMethods } from "./append";
import { archiveQuestions } from "./archive-questions";
import { batchMethods } from "./batches";
import { Connection, type ConnectOptions } from "./connection";
import { controlMethods } from "./control";
import { deriveReads } from "./derive-reads";
import { dropMethods, resumeDrops } from "./drop";
import { evidenceQuestions } from "./evidence-questions";
import { incidentQuestions } from "./incident-questions";
import { pieceMethods } from "./pieces";
import { Queue } from "./queue";
import { rejudgeMethods } from "./rejudge";
import { rereadMethods } from "./reread";
import { retentionMethods } from "./retention";
import { rolloutQuestions } from "./rollout-questions";
import { buildCells } from "./rollups";
import { dataVersion } from "./run-versions";
import { settleMethods, supersededBy } from "./settle";
import { guarded, storageError } from "./storage-errors";

/** As `auto_vacuum` says it. */
const INCREMENTAL = 2;

/** Opens and, as a writer, sets up the store and finishes drops that a crash interrupted. Throws `unavailable`. */
export async function openSqliteStore(options: ConnectOptions): Promise<Store> {
  try {
    const connection = new Connection(options);
    const queue = new Queue(connection);
    if (!connection.readOnly) {
      await resumeDrops(connection, queue);
      // Changes no answer, so the data version stands.
      connection.client.transaction(() => buildCells(connection)).immediate();
    }
    return storeOn(connection, queue);
  } catch (error) {
    throw storageError(error);
  }
}

function storeOn(connection: Connection, queue: Queue): Store {
  const drops = dropMethods(connection, queue);
  return guarded<Store>({
    ...batchMethods(connection, async (batchId) => drops.dropBatch(batchId)),
    ...appendMethods(connection, queue),
    ...drops,
    ...pieceMethods(connection, queue),
    ...retentionMethods(connection, queue),
    ...settleMethods(connection, queue),
    ...rejudgeMethods(connection, queue),
    ...rereadMethods(connection, queue),
    ...deriveReads(connection),
    ...rolloutQuestions(connection),
    ...incidentQuestions(connection),
    ...evidenceQuestions(connection),
    ...archiveQuestions(connection),
    ...controlMethods(connection),
    supersededBy: (id) => supersededBy(connection, id),
    dataVersion: (runs) => dataVersion(connection, runs),
    unsettledCount: () => queue.size(),
    givesSpaceBack: () => connection.client.pragma("auto_vacuum", { simple: true }) === INCREMENTAL,
    bytes: () => connection.bytes(),
    close: () => connection.close(),
  });
}
