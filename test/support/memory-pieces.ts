/** Pieces of cut records in the store in memory. */
import type { PieceJoin, Pieces, StoredPiece } from "@/server/domain/pieces";
import { enqueue, type Held, type Memory } from "./memory-store";

const HOUR_MS = 3_600_000;

export interface HeldPiece extends StoredPiece {
  looked: boolean;
  joined: PieceJoin | null;
}

export function appendPieces(memory: Memory, to: Held, rows: readonly Omit<StoredPiece, "id" | "batch">[]): void {
  for (const row of structuredClone(rows)) {
    to.pieces.push({ ...row, id: ++memory.lastPiece, batch: to.batch.id, looked: false, joined: null });
    const isClosed = (one: HeldPiece) =>
      one.stream === row.stream && one.until < row.from - HOUR_MS && one.looked && one.joined === null;
    for (const held of memory.batches) held.pieces = held.pieces.filter((one) => !isClosed(one));
  }
}

/** Rows that count: those of a delivery's pieces that stand aside are left out. */
export function countedOf({ observations, pieces }: Held): Held["observations"] {
  const aside = pieces.flatMap((piece) => piece.joined?.keys ?? []);
  return observations.filter((row) => !aside.includes(row.key));
}

export function shownRejects({ rejects, pieces }: Held): Held["rejects"] {
  const aside = pieces.flatMap((piece) => piece.joined?.rejects ?? []);
  return rejects.filter(({ line, sample }) => !aside.some((one) => one.line === line && one.sample === sample));
}

/** Takes back what was joined in these streams, so that they are looked at again. */
export function takeBack(memory: Memory, streams: readonly string[]): void {
  for (const held of memory.batches)
    for (const piece of held.pieces.filter((one) => streams.includes(one.stream))) {
      piece.looked = false;
      if (piece.joined) change(memory, held, piece.joined, piece, false);
    }
}

function change(memory: Memory, held: Held, join: PieceJoin, piece: HeldPiece, joins: boolean): void {
  const added = join.observations.map((row) => row.key);
  const before = shownRejects(held).length;
  enqueue(
    memory,
    [...join.observations, ...held.observations.filter((row) => join.keys.includes(row.key))].flatMap(
      (row) => row.refs,
    ),
  );
  if (joins) held.observations.push(...structuredClone(join.observations));
  else held.observations = held.observations.filter((row) => !added.includes(row.key));
  piece.joined = joins ? structuredClone(join) : null;
  held.batch.rejected += shownRejects(held).length - before;
}

export function memoryPieces(memory: Memory): Pieces {
  const all = () => memory.batches.flatMap((held) => held.pieces.map((piece) => ({ held, piece })));
  return {
    async unjoinedStreams(limit) {
      const news = all().filter(({ piece }) => !piece.looked);
      return [...new Set(news.map(({ piece }) => piece.stream))].sort().slice(0, limit);
    },
    async piecesOf(stream) {
      const found = all().flatMap(({ piece }) => (piece.stream === stream ? [piece] : []));
      return structuredClone(found.map(({ looked: _, joined: __, ...piece }) => piece).sort((a, b) => a.id - b.id));
    },
    async join({ stream, seen, joins }) {
      const mine = all().filter(({ piece }) => piece.stream === stream);
      const ids = mine.map(({ piece }) => piece.id).sort((a, b) => a - b);
      if (ids.join() !== [...seen].sort((a, b) => a - b).join()) return;
      if (joins.length > 0 || mine.some(({ piece }) => piece.joined)) memory.version++;
      takeBack(memory, [stream]);
      for (const { held, piece } of mine) {
        piece.looked = true;
        const join = joins.find((one) => one.piece === piece.id);
        if (join) change(memory, held, join, piece, true);
      }
    },
  };
}
