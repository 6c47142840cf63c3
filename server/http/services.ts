/** What the HTTP layer needs of the process; `server/wire.ts` provides it. */
import type { CanaryService } from "@/server/canary/service";
import type { Classifier } from "@/server/classify/classifier";
import type { AccessToken } from "@/server/domain/access";
import type { IngestResult } from "@/server/domain/batch";
import type { Delivery } from "@/server/domain/delivery";
import type { Intake } from "@/server/domain/intake";
import type { ReclassifyService } from "@/server/domain/reclassify";
import type { RetentionService } from "@/server/domain/retention";
import type { Store } from "@/server/domain/store";
import type { UploadService } from "@/server/domain/upload";
import { type Reading, readingOf } from "@/server/queries/search-reading";

export interface AccessSettings {
  /** The port that the server listens on. */
  port: number;
  /** Address by which others reach it, e.g. `https://coalmine.example`; null when there is none. */
  publicUrl: string | null;
  /** None: no sign-in, loopback only. */
  tokens: readonly AccessToken[];
}

export interface HttpServices {
  settings: AccessSettings & { maxBodyBytes: number };
  store: Store;
  /** Resolves when the delivery is durable. Throws `invalid`, `too_large`, `unsupported`, `busy`, `storage_full`. */
  ingest(delivery: Delivery): Promise<IngestResult>;
  /** What judges evidence; absent: the built-in rules alone. */
  classifier?: Classifier;
  /** Derives again what a change touched; resolves when answers show it. */
  settle(): Promise<void>;
  /** Questions about raw lines, answered in threads of their own; absent: asked of the store itself. */
  reading?: Reading;
  /** Absent in a process that runs no canaries. */
  canaries?: CanaryService;
  reclassify: ReclassifyService;
  retention: RetentionService;
  /** Absent in a process that does not count what comes in. */
  intake?(): Intake;
  /** Absent in a process that keeps no files. */
  uploads?: UploadService;
  version: string;
}

/** How this process asks about raw lines. */
export function readingIn({ reading, store }: HttpServices): Reading {
  return reading ?? readingOf(store);
}
