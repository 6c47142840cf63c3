/** Letting go of old evidence in the store in memory. */
import type { Facts } from "@/server/domain/store";
import { compareAll, countedObservations, pageOf } from "./memory-reads";
import type { Memory } from "./memory-store";

type Retention = Pick<
  Facts,
  "observationsBefore" | "countBefore" | "freezeBefore" | "dropSubjects" | "dropBefore" | "givesSpaceBack"
>;

export function memoryRetention(memory: Memory): Retention {
  const isOld = (at: number | null, before: number): boolean => at !== null && at < before;
  return {
    async observationsBefore(before, timed, page) {
      const cameBefore = new Set(
        memory.batches
          .filter((one) => one.batch.receivedAt < before)
          .flatMap((one) => one.observations.map((o) => o.key)),
      );
      const rows = countedObservations(memory)
        .filter((o) => (timed ? isOld(o.at, before) : o.at === null && cameBefore.has(o.key)))
        .sort((a, b) => compareAll([a.at, a.key], [b.at, b.key]));
      // Rows go while they are read: what was on an earlier page is found by its place in the order, not by a count.
      const [at, key] = page.cursor === null ? [null, ""] : (JSON.parse(page.cursor) as [number | null, string]);
      const rest = page.cursor === null ? rows : rows.filter((o) => compareAll([o.at, o.key], [at, key]) > 0);
      const { items, next } = pageOf(rest, "before", { ...page, cursor: null });
      const last = items.at(-1);
      return { items, next: next === null || !last ? null : JSON.stringify([last.at, last.key]) };
    },
    async countBefore(before) {
      return {
        observations: countedObservations(memory).filter((o) => isOld(o.at, before)).length,
        rollouts: memory.verdicts.filter((v) => v.effective && isOld(v.at, before)).length,
        archiveBlocks: memory.batches.flatMap((one) =>
          one.archive.filter((block) => (block.lastAt ?? one.batch.receivedAt) < before),
        ).length,
      };
    },
    async freezeBefore(before) {
      for (const verdict of memory.verdicts) if (isOld(verdict.at, before)) memory.frozen.add(verdict.group);
    },
    async dropSubjects({ keys, refs }) {
      memory.version++;
      const gone = new Set(memory.incidents.filter((one) => refs.includes(one.ref)).map((one) => one.id));
      memory.incidents = memory.incidents.filter((one) => !gone.has(one.id));
      for (const one of memory.batches) {
        one.observations = one.observations.filter((o) => !keys.includes(o.key));
        one.links = one.links.filter((link) => !refs.includes(link.from));
        one.facts = one.facts.filter((fact) => !refs.includes(fact.ref));
      }
      memory.queue = memory.queue.filter((one) => !refs.includes(one.ref));
      for (const verdict of memory.verdicts)
        if (memory.frozen.has(verdict.group) && gone.has(verdict.incident ?? "")) verdict.incident = null;
    },
    async dropBefore(before) {
      memory.version++;
      for (const one of memory.batches) {
        one.sightings = one.sightings.filter((sighting) => !isOld(sighting.hour, before));
        if (one.batch.receivedAt < before) one.rejects = [];
        for (const piece of one.pieces.filter((old) => isOld(old.until, before)))
          one.observations = one.observations.filter((row) => !piece.joined?.keys.includes(row.key));
        one.pieces = one.pieces.filter((piece) => !isOld(piece.until, before));
        one.archive = one.archive.filter((block) => (block.lastAt ?? one.batch.receivedAt) >= before);
      }
      const isShared = (ref: string) => ref.startsWith("shared:");
      memory.incidents = memory.incidents.filter(
        (one) => !(isShared(one.ref) && isOld(one.lastAt ?? one.firstAt, before)),
      );
      memory.batches = memory.batches.filter(({ batch, ...rows }) => {
        const kept = [rows.observations, rows.rollouts, rows.links, rows.facts, rows.planned, rows.archive];
        return batch.state !== "complete" || batch.receivedAt >= before || kept.some((list) => list.length > 0);
      });
    },
    givesSpaceBack: async () => null,
  };
}
