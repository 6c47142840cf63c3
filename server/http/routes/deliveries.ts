/** Deliveries, what could not be read in them, and taking one back. */
import { z } from "zod";
import { BATCH_STATES } from "@/server/domain/batch";
import { ORIGINS } from "@/server/domain/taxonomy-words";
import { batches } from "@/server/queries/batches";
import { rejects } from "@/server/queries/rejects";
import { undoBatchPreview } from "@/server/queries/undo-preview";
import { flag, listOf, pageOf, paging, text } from "../params";
import { defineRoute, type Route } from "../route";
import { batch, reject, undo } from "../schemas/fleet";

export const deliveryRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/batches",
    need: "viewer",
    operation: "listBatches",
    summary: "Deliveries, newest first.",
    query: z.strictObject({
      run: listOf(text, "Runs they were sent for."),
      state: listOf(z.enum(BATCH_STATES), "States."),
      origin: listOf(z.enum(ORIGINS), "Origins."),
      ...paging,
    }),
    answer: { description: "Deliveries.", schema: batch, list: true },
    handle: ({ query, services }) =>
      batches(services.store, { runs: query.run, states: query.state, origins: query.origin, page: pageOf(query) }),
  }),
  defineRoute({
    method: "GET",
    path: "/batches/{id}/rejects",
    need: "viewer",
    operation: "listRejects",
    summary: "Records of a delivery that could not be read, with the line and the reason.",
    query: z.strictObject(paging),
    answer: { description: "Rejects, by line.", schema: reject, list: true },
    handle: ({ path, query, services }) => rejects(services.store, { batch: path.id ?? "", page: pageOf(query) }),
  }),
  defineRoute({
    method: "DELETE",
    path: "/batches/{id}",
    need: "operator",
    operation: "deleteBatch",
    summary: "Takes a delivery back and derives again what it touched. `preview=true` only says how much that is.",
    query: z.strictObject({ preview: flag }),
    answer: { description: "What was, or would be, removed.", schema: undo },
    async handle({ path, query, services }) {
      const preview = await undoBatchPreview(services.store, { id: path.id ?? "" });
      if (query.preview) return preview;
      await services.store.dropBatch(path.id ?? "");
      await services.settle();
      return { ...preview, preview: false };
    },
  }),
];
