/** Asks a store every question there is, with many filters, and gives all answers by the question's words. */
import type { ArchiveFilter } from "@/server/domain/archive";
import {
  INCIDENT_DIMS,
  type IncidentFilter,
  type Page,
  type PageOf,
  ROLLOUT_DIMS,
  type RolloutFilter,
  type Store,
} from "@/server/domain/store";
import { ORIGINS } from "@/server/domain/taxonomy-words";
import { STREAMS, WORDS } from "./made-blocks";
import { T0 } from "./made-rows";
import { CLASSES, FORMATS, GROUPS, KINDS, NODES, REFS, RUNS, SOURCES } from "./random-rows";

const RUN_LABELS = RUNS.filter((run) => run !== null);
const KNOWN_NODES = NODES.filter((node) => node !== null);
const KNOWN_CLASSES = CLASSES.filter((name) => name !== null);
const WINDOWS = [{}, { from: T0 }, { to: T0 + 1 }, { from: -1, to: T0 + 3_600_000 }];

const ROLLOUT_FILTERS: RolloutFilter[] = [
  ...WINDOWS,
  ...RUN_LABELS.map((run) => ({ runs: [run] })),
  { runs: RUN_LABELS.slice(0, 3), effectiveOnly: false },
  { effectiveOnly: false },
  ...ORIGINS.map((origin) => ({ origins: [origin] })),
  { verdicts: ["passed", "failed"], runs: ["r1", "r2"] },
  { verdicts: ["infra_failed"], from: T0 },
  { classes: KNOWN_CLASSES, families: ["oom"] },
  { nodes: KNOWN_NODES.slice(0, 2) },
  { nodes: ["\u00e9"], to: T0 + 1 },
  { tasks: ["Task 1", "Task 2"], configKeys: ["c1"] },
  { text: "BOOM 1" },
  { text: "task 3", runs: ["r2"] },
  { runs: [], verdicts: [], nodes: [] },
];

const INCIDENT_FILTERS: IncidentFilter[] = [
  ...WINDOWS,
  ...RUN_LABELS.map((run) => ({ runs: [run] })),
  { runs: ["r1", "r2"], orWithoutRun: true },
  { runs: ["r1"], orWithoutRun: true, withParts: true },
  { withParts: true },
  { origins: ["fleet", "demo"], outcomes: ["fatal"] },
  { classes: ["unknown"], families: ["other"] },
  { nodes: KNOWN_NODES, configKeys: ["c1"] },
  { sources: [...SOURCES], refs: REFS.slice(0, 5) },
  { rollouts: ["id1"], ids: Array.from({ length: 200 }, (_, i) => `i${i}`) },
  { orWithoutRun: true },
];

/** All items of all pages, asked for in pages of `limit`. */
async function whole<T>(ask: (page: Page) => Promise<PageOf<T>>, limit: number): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const page: PageOf<T> = await ask({ limit, cursor });
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return items;
}

export async function everyAnswer(store: Store): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  const note = async (name: string, asked: unknown, answer: Promise<unknown>) => {
    answers.set(`${name} ${JSON.stringify(asked)}`, await answer);
  };
  await askDeliveries(store, note);
  await askReads(store, note);
  await askRollouts(store, note);
  await askIncidents(store, note);
  await askEvidence(store, note);
  await askArchive(store, note);
  return answers;
}

type Note = (name: string, asked: unknown, answer: Promise<unknown>) => Promise<void>;

async function askDeliveries(store: Store, note: Note): Promise<void> {
  const batches = await whole((page) => store.batches({}, page), 3);
  await note("batches", {}, Promise.resolve(batches));
  for (const filter of [
    { runs: ["r1"] },
    { states: ["complete" as const] },
    { origins: ["demo" as const, "canary" as const] },
  ]) {
    await note(
      "batches",
      filter,
      whole((page) => store.batches(filter, page), 4),
    );
  }
  for (const { id, digest } of batches) {
    await note("batch", id, store.batch(id));
    await note(
      "rejects",
      id,
      whole((page) => store.rejects(id, page), 2),
    );
    if (digest !== null) await note("batchByDigest", digest, store.batchByDigest(digest));
  }
}

async function askReads(store: Store, note: Note): Promise<void> {
  const keys = Array.from({ length: 60 }, (_, i) => `k${i}`);
  await note("observationsByKey", keys, store.observationsByKey(keys));
  await note("observationBatches", keys, store.observationBatches(keys));
  for (const refs of [...REFS.map((ref) => [ref]), REFS.slice(2, 6), []]) {
    await note("observationsOf", refs, store.observationsOf(refs));
    await note("linksFrom", refs, store.linksFrom(refs));
    await note("linksTo", refs, store.linksTo(refs));
    await note("factsOf", refs, store.factsOf(refs));
    await note("incidentsOf", refs, store.incidentsOf(refs));
  }
  await note("rolloutsOfGroups", GROUPS, store.rolloutsOfGroups(GROUPS));
  const ids = ["id1", "id2", "id3"];
  await note("rolloutsOfIds", ids, store.rolloutsOfIds(ids));
  await note(
    "queue",
    {},
    store.unsettled(10_000).then((refs) => refs.sort()),
  );
  await note("unsettledCount", {}, store.unsettledCount());
}

async function askRollouts(store: Store, note: Note): Promise<void> {
  const pairs = ROLLOUT_DIMS.flatMap((a) => [[a], [a, "verdict" as const]]);
  for (const filter of ROLLOUT_FILTERS) {
    await note(
      "listRollouts",
      filter,
      whole((page) => store.listRollouts(filter, page), 7),
    );
    await note("countRollouts", filter, store.countRollouts(filter, []));
    await note("countRollouts", [filter, ROLLOUT_DIMS], store.countRollouts(filter, [...ROLLOUT_DIMS]));
  }
  for (const runs of [[], RUN_LABELS.slice(0, 1), RUN_LABELS])
    await note("rolloutOutcomes", runs, store.rolloutOutcomes(runs));
  for (const by of pairs) await note("countRollouts", by, store.countRollouts({}, by, { bucketMs: 7_000 }));
}

async function askIncidents(store: Store, note: Note): Promise<void> {
  for (const filter of INCIDENT_FILTERS) {
    await note(
      "listIncidents",
      filter,
      whole((page) => store.listIncidents(filter, page), 7),
    );
    await note("countIncidents", filter, store.countIncidents(filter, []));
    await note("countIncidents", [filter, "bare"], store.countIncidents(filter, ["class"], { hits: false }));
    await note("countIncidents", [filter, INCIDENT_DIMS], store.countIncidents(filter, [...INCIDENT_DIMS]));
  }
  for (const dim of INCIDENT_DIMS)
    await note("countIncidents", dim, store.countIncidents({}, [dim], { bucketMs: 900 }));
}

async function askEvidence(store: Store, note: Note): Promise<void> {
  for (const window of WINDOWS) {
    for (const runs of [undefined, ["r1"], RUN_LABELS.slice(1, 4)]) {
      const filter = { runs, ...window };
      await note("countObservations", filter, store.countObservations(filter));
      await note("countSightings", filter, store.countSightings({ ...filter, formats: [FORMATS[0]] }));
      await note("countObservations", [filter, "kinds"], store.countObservations({ ...filter, kinds: KINDS.slice(1) }));
    }
  }
  for (const origin of ORIGINS) {
    const origins = [origin];
    await note("runFacts", origins, store.runFacts({ origins }));
    await note("nodes", origins, store.nodes({ origins }));
    await note("countSightings", origins, store.countSightings({ origins }));
    await note("countObservations", origins, store.countObservations({ origins, classes: KNOWN_CLASSES }));
  }
  await note("runFacts", {}, store.runFacts({}));
  await note("runFacts", RUN_LABELS, store.runFacts({ runs: RUN_LABELS.slice(0, 2) }));
  await note("nodes", {}, store.nodes({}));
  await note(
    "missingRollouts",
    RUN_LABELS,
    whole((page) => store.missingRollouts(RUN_LABELS, page), 2),
  );
  await note("countPlanned", RUN_LABELS, store.countPlanned(RUN_LABELS));
  await note("allRunSettings", {}, store.allRunSettings());
}

async function askArchive(store: Store, note: Note): Promise<void> {
  const blocks = await whole((page) => store.archiveBlocks({}, page), 3);
  await note("archiveBlocks", {}, Promise.resolve(blocks));
  const ids = blocks.map((block) => block.id);
  await note("archiveBytes", ids, store.archiveBytes(ids));
  const filters: ArchiveFilter[] = [
    ...WINDOWS,
    ...RUN_LABELS.map((run) => ({ runs: [run] })),
    { runs: RUN_LABELS.slice(0, 3), from: T0 },
    { batches: blocks.slice(0, 2).map((block) => block.batch) },
    ...STREAMS.map((stream) => ({ streams: [stream] })),
    { streams: STREAMS.slice(1), tokens: [WORDS[0]] },
    ...WORDS.map((word) => ({ tokens: [word, WORDS[1]] })),
  ];
  for (const filter of filters) {
    await note(
      "archiveBlocks",
      filter,
      whole((page) => store.archiveBlocks(filter, page), 4),
    );
  }
  for (const batch of new Set(blocks.map((block) => block.batch))) {
    for (const line of [1, 5, 9]) await note("archiveBlockOf", [batch, line], store.archiveBlockOf(batch, line));
  }
}
