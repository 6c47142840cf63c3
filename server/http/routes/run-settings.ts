/** What people and harnesses say of a run, and taking a run back. */
import { z } from "zod";
import { queueRun } from "@/server/derive/settle";
import { readDirectory } from "@/server/queries/run-directory";
import { runSummary } from "@/server/queries/run-summary";
import { undoRunPreview } from "@/server/queries/undo-preview";
import { flag, text } from "../params";
import { defineRoute, type Route } from "../route";
import { mergeRunSettings, runSettingsBody } from "../run-settings-body";
import { undo } from "../schemas/fleet";
import { runSummary as runAnswer } from "../schemas/runs";

const runId = text;

export const runSettingRoutes: Route[] = [
  defineRoute({
    method: "PUT",
    path: "/runs/{run}",
    need: "operator",
    operation: "putRun",
    summary: "Says a run's name, planned size, config, notes, labels, aliases. Merges; `null` clears. JSON or YAML.",
    query: z.strictObject({}),
    body: runSettingsBody,
    answer: { description: "The run.", schema: runAnswer },
    async handle({ path, body, services, now }) {
      const { store } = services;
      const id = runId.parse(path.run);
      const directory = await readDirectory(store);
      const settings = mergeRunSettings({ id, before: await store.runSettings(id), said: body, directory, now });
      await store.putRunSettings(settings);
      if (body.config !== undefined || body.aliases !== undefined || body.passAt !== undefined) {
        const labels = [...directory.scopeOf(id).labels, ...(await readDirectory(store)).scopeOf(id).labels];
        await queueRun(store, [...new Set(labels)]);
        await services.settle();
      }
      return runSummary(store, { run: id, now });
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/runs/{run}",
    need: "operator",
    operation: "deleteRun",
    summary: "Removes all that is known of a run, its aliases included. `preview=true` only says how much that is.",
    query: z.strictObject({ preview: flag }),
    answer: { description: "What was, or would be, removed.", schema: undo },
    async handle({ path, query, services }) {
      const { store } = services;
      const preview = await undoRunPreview(store, { run: path.run ?? "" });
      if (query.preview) return preview;
      await store.dropRun((await readDirectory(store)).scopeOf(path.run ?? "").labels);
      await services.settle();
      return { ...preview, preview: false };
    },
  }),
];
