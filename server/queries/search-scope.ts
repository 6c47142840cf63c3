/** Which lines a search is about: the blocks that a store is asked for, and the lines of them that count. */

import type { RunDirectory } from "@/server/derive/run-directory";
import type { ArchiveFilter, StoredBlock } from "@/server/domain/archive";
import type { Store } from "@/server/domain/store";
import type { Origin } from "@/server/domain/taxonomy-words";
import { tokensOf } from "@/server/domain/token-filter";
import { defaultOrigins } from "./origins";
import type { PlacedLine } from "./raw-line-answer";
import { labelsFor } from "./run-directory";
import { readQuery, type SearchQuery } from "./search-query";

export interface SearchInput {
  q?: string;
  /** Terms may be parts of words; only within a run, a pod or an hour. */
  parts?: boolean;
  runs?: string[];
  nodes?: string[];
  pods?: string[];
  sandboxes?: string[];
  sources?: string[];
  origins?: Origin[];
  /** Epoch ms, `from` inclusive, `to` exclusive. */
  from?: number;
  to?: number;
}

export interface SearchScope {
  query: SearchQuery;
  filter: ArchiveFilter;
  hasBlock(block: StoredBlock): boolean;
  hasLine(placed: PlacedLine): boolean;
}

const HOUR_MS = 3_600_000;

/** Throws `invalid`. The demo's lines count only while there is nothing real, or when their run is named. */
export async function searchScope(store: Store, directory: RunDirectory, input: SearchInput): Promise<SearchScope> {
  const { runs, nodes, pods, sandboxes, sources, from, to } = input;
  const hour = from !== undefined && to !== undefined && to - from <= HOUR_MS;
  const narrow = hour || isAsked(runs) || isAsked(pods) || isAsked(sandboxes);
  const query = readQuery(input.q ?? "", { parts: input.parts === true, narrow });
  const origins = input.origins ?? (isAsked(runs) ? null : await defaultOrigins(store));
  // A name's words are in the filters of the blocks that have lines of it.
  const names = [nodes, pods, sandboxes, sources].flatMap((list) =>
    list?.length === 1 ? tokensOf(list[0] ?? "") : [],
  );
  return {
    query,
    filter: { runs: labelsFor(directory, runs), from, to, tokens: [...new Set([...query.tokens, ...names])] },
    hasBlock: (block) => origins === null || origins.includes(block.origin),
    hasLine: ({ place: [at], sender }) =>
      (from === undefined || at >= from) &&
      (to === undefined || at < to) &&
      fits(nodes, sender.node) &&
      (fits(pods, sender.pod) || fits(pods, sender.podUid)) &&
      fits(sandboxes, sender.sandbox) &&
      fits(sources, sender.source),
  };
}

function isAsked(wanted: readonly string[] | undefined): boolean {
  return wanted !== undefined && wanted.length > 0;
}

function fits(wanted: readonly string[] | undefined, value: string | null): boolean {
  return !isAsked(wanted) || (value !== null && wanted?.includes(value) === true);
}
