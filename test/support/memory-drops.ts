/** Removal of rows by batch, run label and origin from the store in memory. */
import type { Ref } from "@/server/domain/refs";
import type { Facts } from "@/server/domain/store";
import { type HeldPiece, takeBack } from "./memory-pieces";
import { buryVerdicts, enqueue, type Held, held, type Memory } from "./memory-store";

function touchedBy(rows: Omit<Held, "batch" | "asked" | "readerVersion" | "lines" | "unkept" | "pieces">): Ref[] {
  return [
    ...rows.observations.flatMap((o) => o.refs),
    ...rows.rollouts.flatMap((r) => [`rollout:${r.cluster}/${r.id}`, `group:${r.cluster}/${r.group}`]),
    ...rows.links.flatMap((link) => [link.from, link.to]),
    ...rows.facts.map((fact) => fact.ref),
  ];
}

export function dropWhole(memory: Memory, gone: Held): void {
  dropPieces(memory, gone, () => true);
  memory.batches = memory.batches.filter((one) => one !== gone);
  buryVerdicts(memory);
  enqueue(memory, touchedBy(gone));
}

/** What is still coming in comes after a removal. */
function standing(memory: Memory): Held[] {
  return memory.batches.filter((one) => one.batch.state !== "receiving");
}

/** With what was joined to them; says whether any went. */
export function dropPieces(memory: Memory, from: Held, isGone: (piece: HeldPiece) => boolean): boolean {
  const gone = from.pieces.filter(isGone);
  takeBack(
    memory,
    gone.map((piece) => piece.stream),
  );
  from.pieces = from.pieces.filter((piece) => !gone.includes(piece));
  return gone.length > 0;
}

/** Keeps those rows of every batch that `keep` says, and forgets the digest of batches that lost some. */
function dropRows(memory: Memory, keep: Keep): void {
  for (const one of standing(memory)) {
    if (dropPieces(memory, one, (piece) => !keep.piece(piece))) one.batch.digest = null;
    const gone: Omit<Held, "batch" | "asked" | "readerVersion" | "lines" | "unkept" | "pieces"> = {
      observations: one.observations.filter((o) => !keep.observation(o)),
      rollouts: one.rollouts.filter((r) => !keep.rollout(r)),
      links: [],
      facts: one.facts.filter((fact) => !keep.fact(fact)),
      planned: one.planned.filter((plan) => !keep.labelled(plan)),
      sightings: one.sightings.filter((sighting) => !keep.labelled(sighting)),
      rejects: [],
      archive: one.archive.filter((block) => !keep.block(block)),
    };
    one.archive = one.archive.filter(keep.block);
    one.observations = one.observations.filter(keep.observation);
    one.rollouts = one.rollouts.filter(keep.rollout);
    one.facts = one.facts.filter(keep.fact);
    one.planned = one.planned.filter(keep.labelled);
    one.sightings = one.sightings.filter(keep.labelled);
    if (Object.values(gone).some((rows) => rows.length > 0)) one.batch.digest = null;
    enqueue(memory, touchedBy(gone));
  }
  buryVerdicts(memory);
}

interface Keep {
  observation(row: Held["observations"][number]): boolean;
  rollout(row: Held["rollouts"][number]): boolean;
  fact(row: Held["facts"][number]): boolean;
  block(row: { run: string | null; origin: string }): boolean;
  labelled(row: { run: string | null }): boolean;
  piece(row: HeldPiece): boolean;
}

export function memoryDrops(memory: Memory): Pick<Facts, "dropBatch" | "dropRun" | "dropOrigin"> {
  return {
    async dropBatch(batchId) {
      const gone = held(memory, batchId);
      memory.version++;
      dropWhole(memory, gone);
    },
    async dropRun(runs) {
      if (runs.length === 0) return;
      memory.version++;
      const of = (run: string | null) => run !== null && runs.includes(run);
      for (const one of standing(memory).filter((b) => of(b.batch.run))) dropWhole(memory, one);
      dropRows(memory, {
        observation: (row) => !of(row.run),
        rollout: (row) => !of(row.run),
        fact: (row) => !(row.name === "run" && runs.some((run) => run === row.value)),
        block: (row) => !of(row.run),
        labelled: (row) => !of(row.run),
        piece: (row) => !of(row.run),
      });
      for (const run of runs) memory.runs.delete(run);
    },
    async dropOrigin(origin) {
      memory.version++;
      for (const one of standing(memory).filter((b) => b.batch.origin === origin)) dropWhole(memory, one);
      dropRows(memory, {
        observation: (row) => row.origin !== origin,
        rollout: (row) => row.origin !== origin,
        fact: () => true,
        block: (row) => row.origin !== origin,
        labelled: () => true,
        piece: (row) => row.origin !== origin,
      });
    },
  };
}
