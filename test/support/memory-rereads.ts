/** Reading again in the store in memory. */
import type { Ref } from "@/server/domain/refs";
import type { RereadEnd, Rereads } from "@/server/domain/rereading";
import { stored } from "./memory-archive";
import { dropPieces } from "./memory-drops";
import { addRows, buryVerdicts, enqueue, type Held, type Memory } from "./memory-store";

export function memoryRereads(memory: Memory): Rereads {
  const complete = (id: string) => memory.batches.find((one) => one.batch.id === id && one.batch.state === "complete");
  return {
    async readOtherwise(version) {
      const all = memory.batches.filter(
        (one) => one.batch.state === "complete" && one.archive.length > 0 && one.readerVersion !== version,
      );
      const known = all.filter((one) => one.readerVersion !== null);
      const lines = known.flatMap((one) => one.archive).reduce((sum, block) => sum + block.lines, 0);
      return { batches: known.map((one) => one.batch.id), lines, older: all.length - known.length };
    },
    keptOf: async (id) => {
      const held = complete(id);
      return held ? { asked: held.asked, lines: held.lines, unkept: held.unkept } : null;
    },
    blocksOf: async (id, after, limit) => {
      const found = memory.batches.filter((one) => one.batch.id === id);
      const blocks = found.flatMap(({ archive, batch }) => archive.map((block) => stored({ block, batch })));
      return blocks.filter((block) => block.id > after).slice(0, limit);
    },
    piecesOfBatch: async (id) =>
      structuredClone((complete(id)?.pieces ?? []).map(({ looked: _, joined: __, ...piece }) => piece)),
    async madeOf(id, places) {
      const held = memory.batches.find((one) => one.batch.id === id);
      if (!held) return { observations: [], rejects: [] };
      const isHere = (row: { line: number; part?: number | null }, missing: number | null) =>
        places.some(({ line, part }) => row.line === line && (row.part ?? missing) === part);
      const joined = held.pieces.flatMap((piece) => piece.joined?.observations.map((row) => row.key) ?? []);
      const observations = held.observations.flatMap((observation, i) =>
        isHere(observation, 0) && !joined.includes(observation.key) ? [{ row: String(i), observation }] : [],
      );
      const rejects = held.rejects.flatMap((reject, i) => (isHere(reject, null) ? [{ row: String(i), reject }] : []));
      return structuredClone({ observations, rejects });
    },
    async reread({ batch, gone, rows, blocks, done }) {
      const held = complete(batch);
      if (!held) return false;
      memory.version++;
      const { observations, rejects } = held;
      const touched: Ref[] = done ? begin(memory, held, done) : [];
      const isGone = (list: string[], all: object[], row: object) => list.includes(String(all.indexOf(row)));
      const left = observations.filter((row) => isGone(gone.observations, observations, row));
      held.observations = held.observations.filter((row) => !left.includes(row));
      held.rejects = rejects.filter((row) => !isGone(gone.rejects, rejects, row));
      const before = held.observations.length;
      addRows(memory, held, rows);
      held.batch.observations += held.observations.length - before - left.length;
      held.batch.rejected += rows.rejects.length - gone.rejects.length;
      for (const { id, bytes, rawBytes } of blocks)
        for (const block of held.archive) if (block.id === id) Object.assign(block, { bytes, rawBytes });
      touched.push(...left.flatMap((row) => row.refs), ...(done ? end(held, done) : []));
      buryVerdicts(memory);
      enqueue(memory, touched);
      return true;
    },
  };
}

function begin(memory: Memory, held: Held, { pieces, sightingsStay }: RereadEnd): Ref[] {
  dropPieces(memory, held, (piece) => pieces.includes(piece.id));
  held.sightings = held.sightings.filter((row) => sightingsStay === null || sightingsStay.includes(row.format));
  return [];
}

function end(held: Held, { readerVersion, whole }: RereadEnd): Ref[] {
  held.readerVersion = readerVersion;
  if (!whole) return [];
  const { format, only } = whole;
  Object.assign(held.batch, whole.counts, { format });
  if (!only) return [];
  const touched = [
    ...held.links.flatMap((link) => [link.from, link.to]),
    ...[...held.facts, ...only.facts].map((fact) => fact.ref),
    ...held.rollouts.flatMap((r): Ref[] => [`rollout:${r.cluster}/${r.id}`, `group:${r.cluster}/${r.group}`]),
  ];
  Object.assign(held, structuredClone(only));
  return touched;
}
