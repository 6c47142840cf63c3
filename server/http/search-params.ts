/** The filters that raw lines are searched by. */
import { z } from "zod";
import { ORIGINS } from "@/server/domain/taxonomy-words";
import type { SearchInput } from "@/server/queries/search-scope";
import { flag, listOf, text, window } from "./params";

export const searchFilter = {
  q: z
    .string()
    .max(500)
    .optional()
    .meta({ description: 'Words and "quoted phrases", all of which must be in the line; case does not count.' }),
  parts: flag.meta({ description: "Words may be parts of words. Only within a run, a pod, a sandbox or an hour." }),
  run: listOf(text, "Runs."),
  node: listOf(text, "Nodes."),
  pod: listOf(text, "Pods, by name or UID."),
  sandbox: listOf(text, "Sandboxes."),
  source: listOf(text, "Sources."),
  origin: listOf(z.enum(ORIGINS), "Origins; default the fleet, and the demo while there is nothing else."),
  ...window,
};

const query = z.object(searchFilter);

export function searchInput(given: z.output<typeof query>): SearchInput {
  return {
    q: given.q,
    parts: given.parts,
    runs: given.run,
    nodes: given.node,
    pods: given.pod,
    sandboxes: given.sandbox,
    sources: given.source,
    origins: given.origin,
    from: given.from,
    to: given.to,
  };
}
