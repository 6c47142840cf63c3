/** Puts the process together: settings, the one writer, the readers. The only file that opens a store. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openAnswers, openStore } from "@/db/open-store";
import type { CanaryService } from "@/server/canary/service";
import { classifierWith } from "@/server/classify/own/own-classifier";
import type { Delivery } from "@/server/domain/delivery";
import { CoalmineError } from "@/server/domain/errors";
import type { Store } from "@/server/domain/store";
import { IntakeGate } from "@/server/http/intake-gate";
import { log } from "@/server/http/log";
import { countDelivery } from "@/server/http/metrics";
import type { HttpServices } from "@/server/http/services";
import { SourceQuota } from "@/server/http/source-quota";
import { ingest } from "@/server/ingest/ingest";
import { recover } from "@/server/ingest/ingest-recover";
import { rereaderOf } from "@/server/ingest/reread/rereader";
import { judgeJoinedBy } from "@/server/ingest/settle-joined";
import { IngestClient } from "@/server/ingest/worker/ingest-client";
import { writesOf } from "@/server/ingest/worker/writes";
import { loadOwnRules } from "@/server/own-rules";
import { heavyElsewhere } from "@/server/queries/heavy";
import { ComputeClient } from "@/server/queries/worker/compute-client";
import type { KeptAnswers } from "@/server/queries/worker/keep-in-file";
import { ReaderClient } from "@/server/queries/worker/reader-client";
import { Reclassifier } from "@/server/reclassify/reclassifier";
import { Keeper } from "@/server/retention/keeper";
import { readSettings, type Settings } from "@/server/settings";
import type { ThreadData } from "@/server/threads/messages";
import { Uploads } from "@/server/uploads/uploads";

export interface Services extends HttpServices {
  settings: Settings;
  /** Reads go to reader threads, writes to the ingest thread; appending is for deliveries alone. */
  store: Store;
  /** Epoch ms. */
  startedAt: number;
  /** Finishes what is under way and closes the store. */
  close(): Promise<void>;
}

export const VERSION = "0.1.0";
const KEY = Symbol.for("coalmine.services");
const OF_THE_WRITER = [
  "openBatch",
  "append",
  "closeBatch",
  "rejudge",
  "reread",
  "unjoinedStreams",
  "piecesOf",
  "join",
  "freezeBefore",
  "dropSubjects",
  "dropBefore",
] as const satisfies readonly (keyof Store)[];
type WithServices = { [KEY]?: Promise<Services> };

/** The services of this process, opened once: Next.js builds several module graphs. A start that failed is tried again. */
export function services(): Promise<Services> {
  const held = globalThis as WithServices;
  held[KEY] ??= openServices({ settings: readSettings(process.env) }).catch((error: unknown) => {
    held[KEY] = undefined;
    throw error;
  });
  return held[KEY];
}

export interface OpenServices {
  settings: Settings;
  /** No threads: everything in this one, for tests and short programs. */
  inline?: boolean;
  /** Folder of the built threads; default `dist` where the process was started. */
  distDir?: string;
}

/** Throws `unavailable` when the store or a thread cannot be opened. */
export function openServices({ settings, inline = false, distDir }: OpenServices): Promise<Services> {
  return inline ? openInline(settings) : openThreads(settings, distDir ?? [process.cwd(), "dist"].join("/"));
}

/** The writer's connection; one at a time. */
export function openWriter({ dataDir, migrationsFolder }: ThreadData): Promise<Store> {
  return openStore({ dataDir, migrationsFolder });
}

/** A connection for questions only; the store must have been set up by a writer. */
export function openReader({ dataDir, migrationsFolder }: ThreadData): Promise<Store> {
  return openStore({ dataDir, migrationsFolder, readOnly: true });
}

/** Computed answers kept over restarts, for the compute thread alone. */
export function openKeptAnswers({ dataDir }: ThreadData): KeptAnswers {
  return openAnswers(dataDir);
}

async function openThreads(settings: Settings, distDir: string): Promise<Services> {
  const script = (name: string) => {
    const path = join(distDir, name);
    if (existsSync(path)) return path;
    throw new CoalmineError(
      "unavailable",
      `${path} is missing: build the product first (npm run up builds and serves it).`,
    );
  };
  const migrations = join(distDir, "migrations");
  const ownRules = await loadOwnRules(settings.configPath);
  const { dataDir, maxBodyBytes, retentionDays } = settings;
  const data: ThreadData = { dataDir, maxBodyBytes, retentionDays, ownRules };
  if (existsSync(migrations)) data.migrationsFolder = migrations;
  const writer = new IngestClient({ script: script("ingest-worker.mjs"), data });
  const readers = new ReaderClient({ script: script("reader-worker.mjs"), data });
  const compute = new ComputeClient({ script: script("compute-worker.mjs"), data });
  const close = async () => {
    await Promise.all([readers.stop(), compute.stop()]);
    await writer.stop();
  };
  try {
    // The writer sets the store up and recovers it before anyone reads.
    await writer.ready();
    await Promise.all([readers.ready(), compute.ready()]);
  } catch (error) {
    await close();
    throw error;
  }
  const gate = new IntakeGate(deliverTo(writer), writer, new SourceQuota(settings.sourceBytesPerMinute));
  const ingest = (delivery: Delivery) => gate.ingest(delivery);
  // What cannot be opened now is tried again by the next request, so nothing may stay open that locks it out.
  const orClose = async (error: unknown): Promise<never> => {
    await close();
    throw error;
  };
  const uploads = await openUploads(settings, ingest).catch(orClose);
  const canaries = await openCanaries(settings, script("canary-worker.mjs"), ingest).catch(async (error: unknown) => {
    await uploads.close();
    return orClose(error);
  });
  const closeAll = async () => {
    await Promise.all([canaries.stop(), uploads.close()]);
    await close();
  };
  const store: Store = { ...readers.reads(), ...writer.writes(), ...appendingRefused(), close: closeAll };
  heavyElsewhere(store, compute.heavy());
  return {
    ...common(settings, store, closeAll),
    classifier: classifierWith(ownRules),
    ingest,
    canaries,
    uploads,
    reclassify: writer.reclassify(),
    retention: writer.retention(),
    intake: () => gate.state(uploads),
    reading: readers.reading(),
    settle: () => writer.settle(),
  };
}

function deliverTo(writer: IngestClient): Services["ingest"] {
  return ({ params, name, encoding, body, signal }) =>
    writer.ingest({ params, options: { receivedAt: Date.now(), name, encoding }, body, signal });
}

async function openCanaries(settings: Settings, script: string, ingest: Services["ingest"]): Promise<CanaryService> {
  // Loaded here only: the worker threads that open stores through this file have no use for it.
  const { canariesFor } = await import("@/server/canary/start");
  return canariesFor({ script, dataDir: settings.dataDir, configPath: settings.configPath, ingest, log: log() });
}

function openUploads({ dataDir, uploadBytes, maxBodyBytes }: Settings, ingest: Services["ingest"]): Promise<Uploads> {
  return Uploads.open({
    folder: join(dataDir, "uploads"),
    mostBytes: uploadBytes,
    maxBodyBytes,
    async ingest(delivery) {
      try {
        const result = await ingest(delivery);
        countDelivery(result);
        return result;
      } catch (error) {
        if (!(error instanceof CoalmineError)) log().error({ err: error }, "an upload could not be read");
        throw error;
      }
    },
  });
}

async function openInline(settings: Settings): Promise<Services> {
  const classifier = classifierWith(await loadOwnRules(settings.configPath));
  const inner = await openStore({ dataDir: settings.dataDir });
  judgeJoinedBy(inner, classifier);
  await recover(inner);
  const { settleQueued, ...writes } = writesOf(inner);
  const store = Object.assign(Object.create(inner) as Store, writes);
  return {
    ...common(settings, store, () => inner.close()),
    classifier,
    ingest: ({ params, name, encoding, body, signal }: Delivery) =>
      ingest(inner, params, body, { receivedAt: Date.now(), name, encoding, signal, classifier }),
    reclassify: new Reclassifier(inner, classifier, rereaderOf(inner, classifier)),
    retention: new Keeper(inner, { days: settings.retentionDays }),
    settle: async () => {
      await settleQueued();
    },
  };
}

function common(settings: Settings, store: Store, close: () => Promise<void>) {
  return { settings, store, close, startedAt: Date.now(), version: VERSION };
}

/** What changes facts belongs to deliveries, and to the jobs of the writing thread. */
function appendingRefused(): Record<(typeof OF_THE_WRITER)[number], () => Promise<never>> {
  const refuse = () => Promise.reject(new Error("only a delivery appends to the store"));
  const entries = OF_THE_WRITER.map((name) => [name, refuse] as const);
  return Object.fromEntries(entries) as ReturnType<typeof appendingRefused>;
}
