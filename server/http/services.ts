/** What the HTTP layer needs of the process; `server/wire.ts` provides it. */
import type { CanaryService } from "@/server/canary/service";
import type { Classifier } from "@/server/classify/classifier";
import type { DeliveryParams, IngestResult } from "@/server/domain/batch";
import type { Intake } from "@/server/domain/intake";
import type { ReclassifyService } from "@/server/domain/reclassify";
import type { RetentionService } from "@/server/domain/retention";
import type { Store } from "@/server/domain/store";
import type { UploadService } from "@/server/domain/upload";
import { type Reading, readingOf } from "@/server/queries/search-reading";

/** `ingest` may only send, `viewer` only read, `operator` may do both and change things. */
export const TOKEN_ROLES = ["ingest", "viewer", "operator"] as const;
export type TokenRole = (typeof TOKEN_ROLES)[number];

export interface AccessToken {
  /** Shown in logs instead of the secret. */
  name: string;
  role: TokenRole;
  secret: string;
}

export interface AccessSettings {
  /** The port that the server listens on. */
  port: number;
  /** Address by which others reach it, e.g. `https://coalmine.example`; null when there is none. */
  publicUrl: string | null;
  /** None: no sign-in, loopback only. */
  tokens: readonly AccessToken[];
}

export interface Delivery {
  params: DeliveryParams;
  name: string | null;
  /** `Content-Encoding` as sent; null when none was. */
  encoding: string | null;
  /** The body as sent; read as it comes, never held whole. */
  body: AsyncIterable<Uint8Array>;
  /** Aborts when the sender goes away. */
  signal: AbortSignal;
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
