/**
 * The store as plain arrays and filters: slow, and simple enough to be seen right. What any other store answers
 * must equal what this one answers.
 */
import type { ArchiveBlock } from "@/server/domain/archive";
import type { Batch } from "@/server/domain/batch";
import { CoalmineError } from "@/server/domain/errors";
import type { Incident } from "@/server/domain/incident";
import type { Ref } from "@/server/domain/refs";
import type { RolloutVerdict } from "@/server/domain/rollout";
import type { RunSettings } from "@/server/domain/run";
import type { FactRows, Facts, Store } from "@/server/domain/store";
import { memoryArchive } from "./memory-archive";
import { dropWhole, memoryDrops } from "./memory-drops";
import { memoryJudging } from "./memory-judging";
import { appendPieces, type HeldPiece, memoryPieces } from "./memory-pieces";
import { memoryQuestions } from "./memory-questions";
import { memoryReads } from "./memory-reads";
import { memoryRereads } from "./memory-rereads";
import { memoryRetention } from "./memory-retention";

/** The rows of one batch, as they were appended. */
export interface Held extends Omit<FactRows, "touched" | "archive" | "pieces" | "unkept"> {
  pieces: HeldPiece[];
  batch: Batch;
  /** Format that it was sent as. */
  asked: string;
  lines: number;
  unkept: number;
  readerVersion: string | null;
  archive: (ArchiveBlock & { id: number })[];
}
export interface Memory {
  batches: Held[];
  incidents: Incident[];
  replaced: Map<string, string>;
  /** Groups whose verdicts stand as they are. */
  frozen: Set<string>;
  verdicts: RolloutVerdict[];
  queue: { ref: Ref; version: number }[];
  handed: Map<Ref, number>;
  runs: Map<string, RunSettings>;
  settings: Map<string, string>;
  version: number;
  /** Id of the newest block of raw lines. */
  lastBlock: number;
  /** Id of the newest piece. */
  lastPiece: number;
}

export function openMemoryStore(): Promise<Store> {
  const memory: Memory = {
    batches: [],
    incidents: [],
    replaced: new Map(),
    frozen: new Set(),
    verdicts: [],
    queue: [],
    handed: new Map(),
    runs: new Map(),
    settings: new Map(),
    version: 0,
    lastBlock: 0,
    lastPiece: 0,
  };
  const store = {
    ...deliveries(memory),
    ...memoryDrops(memory),
    ...memoryPieces(memory),
    ...deriving(memory),
    ...memoryJudging(memory),
    ...memoryRereads(memory),
    ...memoryRetention(memory),
    ...memoryReads(memory),
    ...memoryArchive(memory),
    ...memoryQuestions(memory),
    ...control(memory),
    close: async () => {
      memory.batches.length = 0;
    },
  };
  return Promise.resolve(store);
}

export function held(memory: Memory, id: string): Held {
  const found = memory.batches.find((one) => one.batch.id === id);
  if (!found) throw new CoalmineError("not_found", `There is no delivery ${id}.`);
  return found;
}

export function enqueue(memory: Memory, refs: Ref[]): void {
  for (const ref of refs) {
    const known = memory.queue.find((one) => one.ref === ref);
    if (known) known.version = memory.version;
    else memory.queue.push({ ref, version: memory.version });
  }
}

/** Verdicts go with the last row of their record. */
export function buryVerdicts(memory: Memory): void {
  const records = new Set(memory.batches.flatMap((one) => one.rollouts).map((r) => `${r.id} ${r.content}`));
  memory.verdicts = memory.verdicts.filter((v) => records.has(`${v.id} ${v.content}`));
}

function deliveries(memory: Memory): Pick<Facts, "openBatch" | "append" | "closeBatch"> {
  return {
    async openBatch(batch) {
      if (memory.batches.some((one) => one.batch.id === batch.id)) throw new CoalmineError("conflict", "It is there.");
      memory.version++;
      const facts = { observations: [], links: [], facts: [], rollouts: [], planned: [], sightings: [], rejects: [] };
      const { readerVersion = null, ...shown } = batch;
      memory.batches.push({
        batch: shown,
        asked: batch.format,
        readerVersion,
        lines: 0,
        unkept: 0,
        ...facts,
        pieces: [],
        archive: [],
      });
    },
    async append(batchId, rows, counts) {
      const to = held(memory, batchId);
      if (to.batch.state !== "receiving") throw new CoalmineError("conflict", "It is not receiving.");
      memory.version++;
      const duplicates = addRows(memory, to, rows);
      for (const block of structuredClone(rows.archive)) to.archive.push({ ...block, id: ++memory.lastBlock });
      to.lines += rows.archive.reduce((sum, block) => sum + block.lines, 0);
      to.unkept += rows.unkept ?? 0;
      to.batch.bytes += counts.bytes;
      to.batch.records += counts.records;
      to.batch.observations += counts.observations;
      to.batch.rollouts += counts.rollouts;
      to.batch.routine += counts.routine;
      to.batch.duplicates += counts.duplicates + duplicates;
      to.batch.rejected += counts.rejected;
      return { duplicates };
    },
    async closeBatch(id, digest, format, completedAt) {
      const closing = held(memory, id);
      if (closing.batch.state !== "receiving") throw new CoalmineError("conflict", "It is not receiving.");
      const other = memory.batches.find((one) => one.batch.state === "complete" && one.batch.digest === digest);
      memory.version++;
      if (other) {
        dropWhole(memory, closing);
        return { duplicateOf: other.batch.id };
      }
      Object.assign(closing.batch, { state: "complete", digest, format, completedAt });
      return { duplicateOf: null };
    },
  };
}

/** All but its blocks. Returns how many observations and rollouts were there before. */
export function addRows(memory: Memory, to: Held, rows: FactRows): number {
  let duplicates = 0;
  const also: Ref[] = [];
  for (const row of structuredClone(rows.observations)) {
    const same = memory.batches.flatMap((one) => one.observations).filter((o) => o.key === row.key);
    if (same.length > 0) duplicates++;
    const changed = same.filter((o) => JSON.stringify(o.refs) !== JSON.stringify(row.refs));
    also.push(...changed.flatMap((o) => o.refs));
    to.observations.push(row);
  }
  for (const row of structuredClone(rows.rollouts)) {
    const records = memory.batches.flatMap((one) => one.rollouts);
    if (records.some((r) => r.id === row.id && r.content === row.content)) duplicates++;
    to.rollouts.push(row);
  }
  to.links.push(...structuredClone(rows.links));
  to.facts.push(...structuredClone(rows.facts));
  to.planned.push(...structuredClone(rows.planned));
  to.sightings.push(...structuredClone(rows.sightings));
  to.rejects.push(...structuredClone(rows.rejects));
  appendPieces(memory, to, rows.pieces ?? []);
  enqueue(memory, [...new Set([...rows.touched, ...also])]);
  return duplicates;
}

function deriving(memory: Memory): Pick<Facts, "unsettled" | "settle" | "unsettledCount" | "supersededBy"> {
  return {
    async supersededBy(id) {
      const path = [id];
      for (let by = memory.replaced.get(id); by !== undefined && !path.includes(by); by = memory.replaced.get(by))
        path.push(by);
      return path.length > 1 ? (path.at(-1) ?? null) : null;
    },
    async unsettled(limit) {
      const oldest = memory.queue.slice(0, limit);
      for (const one of oldest) memory.handed.set(one.ref, one.version);
      return oldest.map((one) => one.ref);
    },
    async settle(change) {
      memory.version++;
      const ids = new Set(change.incidents.map((one) => one.id));
      memory.incidents = memory.incidents.filter((one) => !change.subjects.includes(one.ref) && !ids.has(one.id));
      memory.incidents.push(...structuredClone(change.incidents));
      for (const { id, by } of change.replaced ?? []) {
        memory.replaced.set(id, by);
        memory.replaced.delete(by);
      }
      const stands = (one: RolloutVerdict) => memory.frozen.has(one.group);
      memory.verdicts = memory.verdicts.filter((one) => stands(one) || !change.groups.includes(one.group));
      for (const verdict of structuredClone(change.verdicts.filter((one) => !stands(one)))) {
        memory.verdicts = memory.verdicts.filter((v) => v.id !== verdict.id || v.content !== verdict.content);
        memory.verdicts.push(verdict);
      }
      buryVerdicts(memory);
      const settled = (one: { ref: Ref; version: number }) =>
        change.refs.includes(one.ref) && one.version <= (memory.handed.get(one.ref) ?? Number.POSITIVE_INFINITY);
      memory.queue = memory.queue.filter((one) => !settled(one));
      for (const ref of change.refs) memory.handed.delete(ref);
      enqueue(memory, change.queue);
    },
    unsettledCount: async () => memory.queue.length,
  };
}

function control(memory: Memory) {
  return {
    runSettings: async (id: string) => structuredClone(memory.runs.get(id) ?? null),
    allRunSettings: async () => structuredClone([...memory.runs.values()].sort((a, b) => (a.id < b.id ? -1 : 1))),
    putRunSettings: async (settings: RunSettings) => {
      memory.version++;
      memory.runs.set(settings.id, structuredClone(settings));
    },
    deleteRunSettings: async (id: string) => {
      memory.version++;
      memory.runs.delete(id);
    },
    setting: async (name: string) => memory.settings.get(name) ?? null,
    putSetting: async (name: string, value: string) => {
      memory.version++;
      memory.settings.set(name, value);
    },
    dataVersion: async () => memory.version,
    bytes: async () => null,
  };
}
