/** Reading runs. */
import { z } from "zod";
import { ORIGINS, VERDICTS } from "@/server/domain/taxonomy-words";
import { execSweep } from "@/server/queries/exec-sweep";
import { listRollouts } from "@/server/queries/list-rollouts";
import { listRuns } from "@/server/queries/list-runs";
import { runBreakdown } from "@/server/queries/run-breakdown";
import { runSummary } from "@/server/queries/run-summary";
import { wantsCsv } from "../csv";
import { flag, listOf, pageOf, paging, text, window } from "../params";
import { defineRoute, type Route } from "../route";
import { rollout } from "../schemas/rollouts";
import {
  execSweep as execSweepAnswer,
  runSummary as runAnswer,
  runBreakdown as runBreakdownAnswer,
} from "../schemas/runs";
import { family } from "../schemas/words";

const nothing = z.strictObject({});

export const rolloutFilter = {
  verdict: listOf(z.enum(VERDICTS), "Verdicts. `missing` alone lists planned rollouts without a record."),
  class: listOf(text, "Classes."),
  family: listOf(family, "Families."),
  node: listOf(text, "Nodes."),
  task: listOf(text, "Tasks."),
  config: listOf(text, "Config keys."),
  text: text.optional().meta({ description: "Substring of task or error." }),
  attempts: flag.meta({ description: "`true`: all attempts, not only the one that counts." }),
  ...window,
};

export const runRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/runs",
    need: "viewer",
    operation: "listRuns",
    summary: "All runs, newest first.",
    query: z.strictObject({
      origin: listOf(z.enum(ORIGINS), "Origins; default fleet and demo."),
      text: text.optional().meta({ description: "Substring of id or name." }),
      ...paging,
    }),
    answer: { description: "Runs in numbers.", schema: runAnswer, list: true },
    handle: ({ query, services, now, request }) =>
      listRuns(services.store, {
        origins: query.origin,
        text: query.text,
        page: pageOf(query),
        now,
        whole: wantsCsv(request),
      }),
  }),
  defineRoute({
    method: "GET",
    path: "/runs/{run}",
    need: "viewer",
    operation: "getRun",
    summary: "One run in numbers; an alias answers with its run.",
    query: nothing,
    answer: { description: "The run.", schema: runAnswer },
    handle: ({ path, services, now }) => runSummary(services.store, { run: path.run ?? "", now }),
  }),
  defineRoute({
    method: "GET",
    path: "/runs/{run}/breakdown",
    need: "viewer",
    operation: "getRunBreakdown",
    summary: "What the run lost: by class, node, config and time.",
    query: nothing,
    answer: { description: "The breakdown.", schema: runBreakdownAnswer },
    handle: ({ path, services }) => runBreakdown(services.store, { run: path.run ?? "" }),
  }),
  defineRoute({
    method: "GET",
    path: "/runs/{run}/rollouts",
    need: "viewer",
    operation: "listRollouts",
    summary: "Rollouts of a run, newest first.",
    query: z.strictObject({ ...rolloutFilter, ...paging }),
    answer: { description: "Rollouts.", schema: rollout, list: true },
    handle: ({ path, query, services }) =>
      listRollouts(services.store, {
        run: path.run ?? "",
        verdicts: query.verdict,
        classes: query.class,
        families: query.family,
        nodes: query.node,
        tasks: query.task,
        configKeys: query.config,
        text: query.text,
        effectiveOnly: !query.attempts,
        from: query.from,
        to: query.to,
        page: pageOf(query),
      }),
  }),
  defineRoute({
    method: "GET",
    path: "/exec-sweep",
    need: "viewer",
    operation: "execSweep",
    summary: "What the exec daemons of a run or a window saw, each fault kind counted, zeros too.",
    query: z.strictObject({ run: text.optional(), ...window }),
    answer: { description: "The sweep.", schema: execSweepAnswer },
    handle: ({ query, services }) => execSweep(services.store, query),
  }),
];
