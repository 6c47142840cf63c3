/** Everything else that writes: it runs in the thread of ingest, so that the store has one writer. Derived rows are up to date when it resolves. */
import { directoryOf } from "@/server/derive/run-directory";
import { queueRun } from "@/server/derive/settle";
import { CoalmineError } from "@/server/domain/errors";
import type { RunSettings } from "@/server/domain/run";
import type { Store } from "@/server/domain/store";
import { settleQueued } from "../settle-joined";

/** Methods of the store that change it and may be called from elsewhere. Appending is for deliveries alone. */
export const WRITES = [
  "dropBatch",
  "dropRun",
  "dropOrigin",
  "putRunSettings",
  "deleteRunSettings",
  "putSetting",
  "settle",
] as const satisfies readonly (keyof Store)[];
export type WriteName = (typeof WRITES)[number];

/** The operations of a writing thread by name. */
export function writesOf(store: Store): Record<WriteName | "settleQueued", (...args: never[]) => Promise<unknown>> {
  const thenSettle = async (work: Promise<void>) => {
    await work;
    await settleQueued(store);
  };
  return {
    dropBatch: (id: string) => thenSettle(dropCompleted(store, id)),
    dropRun: (runs: string[]) => thenSettle(store.dropRun(runs)),
    dropOrigin: (origin: Parameters<Store["dropOrigin"]>[0]) => thenSettle(store.dropOrigin(origin)),
    putRunSettings: (settings: RunSettings) => thenSettle(putRunSettings(store, settings)),
    deleteRunSettings: (id: string) => thenSettle(deleteRunSettings(store, id)),
    putSetting: (name: string, value: string) => store.putSetting(name, value),
    settle: (change: Parameters<Store["settle"]>[0]) => store.settle(change),
    settleQueued: () => settleQueued(store),
  };
}

/** A delivery that is still coming in is its sender's to break off. */
async function dropCompleted(store: Store, id: string): Promise<void> {
  const batch = await store.batch(id);
  if (batch?.state === "receiving") {
    throw new CoalmineError("conflict", `Delivery ${id} is still being received.`);
  }
  await store.dropBatch(id);
}

async function putRunSettings(store: Store, settings: RunSettings): Promise<void> {
  const before = await store.allRunSettings();
  await store.putRunSettings(settings);
  const known = before.find((one) => one.id === settings.id) ?? null;
  if (verdictsDependOn(known) === verdictsDependOn(settings)) return;
  await queueRun(store, labelsOf(settings.id, before, await store.allRunSettings()));
}

async function deleteRunSettings(store: Store, id: string): Promise<void> {
  const before = await store.allRunSettings();
  await store.deleteRunSettings(id);
  if (before.some((one) => one.id === id)) await queueRun(store, labelsOf(id, before, await store.allRunSettings()));
}

/** All labels that are, or were, the same run under any of these settings. */
function labelsOf(id: string, ...each: RunSettings[][]): string[] {
  const labels = each.flatMap((settings) => [
    ...directoryOf(settings).scopeOf(id).labels,
    ...(settings.find((one) => one.id === id)?.aliases ?? []),
  ]);
  return [...new Set(labels)];
}

function verdictsDependOn(settings: RunSettings | null): string {
  const { passAt = 1, config = {}, aliases = [] } = settings ?? {};
  return JSON.stringify([passAt, Object.entries(config).sort(), [...aliases].sort()]);
}
