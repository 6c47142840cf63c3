/** The filters that incidents are listed and counted by. */
import { z } from "zod";
import { ORIGINS, OUTCOMES, OWNERS } from "@/server/domain/taxonomy-words";
import type { IncidentsInput } from "@/server/queries/list-incidents";
import { listOf, text, window } from "./params";
import { family } from "./schemas/words";

export const incidentFilter = {
  run: listOf(text, "Runs."),
  node: listOf(text, "Nodes."),
  config: listOf(text, "Config keys."),
  family: listOf(family, "Families."),
  class: listOf(text, "Classes."),
  owner: listOf(z.enum(OWNERS), "Who must act."),
  source: listOf(text, "Sources."),
  outcome: listOf(z.enum(OUTCOMES), "Outcomes."),
  rollout: listOf(text, "Rollout ids."),
  origin: listOf(z.enum(ORIGINS), "Origins; default the fleet, and the demo while there is nothing else."),
  ...window,
};

const query = z.object(incidentFilter);

export function incidentInput(given: z.output<typeof query>): IncidentsInput {
  return {
    runs: given.run,
    nodes: given.node,
    configKeys: given.config,
    families: given.family,
    classes: given.class,
    owners: given.owner,
    sources: given.source,
    outcomes: given.outcome,
    rollouts: given.rollout,
    origins: given.origin,
    from: given.from,
    to: given.to,
  };
}
