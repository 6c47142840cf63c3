/** Where the rest of the product gets its store from (through `server/wire.ts` only). */
import type { Store } from "@/server/domain/store";
import { type KeptAnswersFile, openKeptAnswersFile } from "./sqlite/kept-answers";
import { openSqliteStore } from "./sqlite/sqlite-store";

export interface OpenStoreOptions {
  /** Folder of the data, made when missing; `:memory:` for a store that ends with the process. */
  dataDir: string;
  /** For questions only, beside the one writer; its file must be set up already. */
  readOnly?: boolean;
  /** Folder of the SQL migrations; needed where the code is bundled and not run from the product's folder. */
  migrationsFolder?: string;
  /** Most bytes that the database may take; a write past it fails with `storage_full`. */
  maxBytes?: number;
}

/** Opens the store; one writer at a time, any number of readers. Throws `unavailable` when it cannot be used. */
export function openStore(options: OpenStoreOptions): Promise<Store> {
  return openSqliteStore(options);
}

/** Computed answers, kept beside the store over restarts; may be thrown away at any time. */
export function openAnswers(dataDir: string): KeptAnswersFile {
  return openKeptAnswersFile(dataDir);
}
