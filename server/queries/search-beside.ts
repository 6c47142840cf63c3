/** Incidents and rollouts whose own words hold what was asked for: a short list beside the raw lines. */
import { classInfo } from "@/server/classify/taxonomy";
import type { Incident } from "@/server/domain/incident";
import type { SearchBeside } from "@/server/domain/raw-lines";
import type { RolloutRow } from "@/server/domain/rollout";
import type { Page, PageOf, Store } from "@/server/domain/store";
import { incidentAnswer } from "./incident-answer";
import { defaultOrigins } from "./origins";
import { rolloutAnswer } from "./rollout-answer";
import { labelsFor, readDirectory } from "./run-directory";
import { readQuery } from "./search-query";
import type { SearchInput } from "./search-scope";

const SHOWN = 8;
/** So many of the newest are looked at. */
const MOST = 3000;
const PAGE = 1000;

/** Looks at a bounded number of the newest ones. Without a query there is nothing beside. Throws `invalid`. */
export async function searchBeside(store: Store, input: SearchInput): Promise<SearchBeside> {
  const none = { incidents: [], rollouts: [], of: { incidents: 0, rollouts: 0 } };
  if ((input.q ?? "").trim() === "") return none;
  const directory = await readDirectory(store);
  const { matchesIn } = readQuery(input.q ?? "", { parts: input.parts === true, narrow: true });
  const runs = labelsFor(directory, input.runs);
  const origins = input.origins ?? (runs ? undefined : await defaultOrigins(store));
  const filter = { runs, origins, nodes: input.nodes, from: input.from, to: input.to };
  const incidents = await newest(
    (page) => store.listIncidents({ ...filter, sources: input.sources }, page),
    (one) => matchesIn(wordsOfIncident(one)) !== null,
  );
  const rollouts = await newest(
    (page) => store.listRollouts({ ...filter, effectiveOnly: false }, page),
    (one) => matchesIn(wordsOfRollout(one)) !== null,
  );
  return {
    incidents: incidents.found.map((one) => incidentAnswer(one, directory)),
    rollouts: rollouts.found.map((one) => rolloutAnswer(one, directory)),
    of: { incidents: incidents.seen, rollouts: rollouts.seen },
  };
}

function wordsOfIncident({ id, class: name, summary, sandbox, pod, node, rule, subCause }: Incident): string {
  return [id, name, classInfo(name).title, summary, sandbox, pod, node, rule, subCause].filter(Boolean).join("\n");
}

function wordsOfRollout({ id, task, error, sandbox, node, class: name }: RolloutRow): string {
  return [id, task, error, sandbox, node, name].filter(Boolean).join("\n");
}

async function newest<T>(
  list: (page: Page) => Promise<PageOf<T>>,
  fits: (one: T) => boolean,
): Promise<{ found: T[]; seen: number }> {
  const found: T[] = [];
  let seen = 0;
  let cursor: string | null = null;
  do {
    const page: PageOf<T> = await list({ limit: PAGE, cursor });
    seen += page.items.length;
    found.push(...page.items.filter(fits));
    cursor = page.next;
  } while (cursor !== null && seen < MOST && found.length < SHOWN);
  return { found: found.slice(0, SHOWN), seen };
}
