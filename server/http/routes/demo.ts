/** The made-up demo fleet: loaded through the same door as real data, marked everywhere, and removed without a trace. */
import { z } from "zod";
import { demoFleet } from "@/server/demo/demo-fleet";
import type { Store } from "@/server/domain/store";
import { undoDemoPreview } from "@/server/queries/undo-preview";
import { flag } from "../params";
import { defineRoute, type Route } from "../route";
import { undo } from "../schemas/fleet";
import { count } from "../schemas/words";
import type { HttpServices } from "../services";

const loaded = z.object({ deliveries: count, rollouts: count, observations: count, runs: z.array(z.string()) });

export const demoRoutes: Route[] = [
  defineRoute({
    method: "POST",
    path: "/demo",
    need: "operator",
    operation: "loadDemo",
    summary: "Loads the made-up demo fleet, in place of one that is there.",
    query: z.strictObject({}),
    answer: { description: "What was loaded.", schema: loaded },
    handle: ({ services }) => loadOnce(services),
  }),
  defineRoute({
    method: "DELETE",
    path: "/demo",
    need: "operator",
    operation: "removeDemo",
    summary: "Removes the demo fleet. `preview=true` only says how much that is.",
    query: z.strictObject({ preview: flag }),
    answer: { description: "What was, or would be, removed.", schema: undo },
    async handle({ query, services }) {
      const preview = await undoDemoPreview(services.store);
      if (query.preview) return preview;
      // What is being loaded is there first, then goes: half of it would stay otherwise.
      await underWay.get(services)?.catch(() => {});
      await remove(services);
      return { ...preview, preview: false };
    },
  }),
];

type Loaded = z.output<typeof loaded>;
const underWay = new WeakMap<HttpServices, Promise<Loaded>>();

/** Loads to its end whether or not the asker stays: half a fleet tells no story. Who asks meanwhile gets the same answer. */
function loadOnce(services: HttpServices): Promise<Loaded> {
  const current = underWay.get(services);
  if (current) return current;
  const loading = load(services).finally(() => underWay.delete(services));
  underWay.set(services, loading);
  return loading;
}

async function load(services: HttpServices): Promise<Loaded> {
  // Nobody's leaving ends it.
  const { signal } = new AbortController();
  await remove(services);
  const fleet = demoFleet();
  // Settings first: verdicts and config keys depend on them.
  for (const settings of fleet.settings) await services.store.putRunSettings(settings);
  const sum = { deliveries: 0, rollouts: 0, observations: 0, runs: fleet.settings.map((one) => one.id) };
  for (const { params, name, bytes } of fleet.deliveries) {
    const result = await services.ingest({ params, name, encoding: null, body: once(bytes), signal });
    sum.deliveries += 1;
    sum.rollouts += result.rollouts;
    sum.observations += result.observations;
  }
  return sum;
}

async function remove({ store, settle }: HttpServices): Promise<void> {
  await store.dropOrigin("demo");
  await dropSettings(store);
  await settle();
}

/** Settings carry no origin: those of the demo's runs go unless real evidence names the same run. */
async function dropSettings(store: Store): Promise<void> {
  const ids = demoFleet().settings.map((one) => one.id);
  const real = new Set((await store.runFacts({ runs: ids })).map((one) => one.run));
  for (const id of ids) if (!real.has(id)) await store.deleteRunSettings(id);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
