/** Blocks of raw lines in the store in memory: their filters are asked in the plainest way. */
import type { ArchiveBlock, StoredBlock } from "@/server/domain/archive";
import type { Batch } from "@/server/domain/batch";
import type { Facts } from "@/server/domain/store";
import { SLICES, sliceMayContain, sliceOf, tokenHash } from "@/server/domain/token-filter";
import { isIn, pageOf } from "./memory-reads";
import type { Memory } from "./memory-store";

type Held = ArchiveBlock & { id: number };

export function memoryArchive(memory: Memory): Pick<Facts, "archiveBlocks" | "archiveBytes" | "archiveBlockOf"> {
  const all = () => memory.batches.flatMap((one) => one.archive.map((block) => ({ block, batch: one.batch })));
  return {
    archiveBlocks: async (filter, page) => {
      const found = all().filter(({ block, batch }) => {
        const { since, until } = spanOf(block, batch);
        return (
          isIn(filter.batches, batch.id) &&
          isIn(filter.runs, block.run) &&
          (filter.newerThan === undefined || block.id > filter.newerThan) &&
          (filter.from === undefined || until >= filter.from) &&
          (filter.to === undefined || since < filter.to) &&
          mayContain(block.filter, filter.tokens ?? []) &&
          (!filter.streams?.length || block.senders.some((sender) => isIn(filter.streams, sender.stream)))
        );
      });
      found.sort((a, b) => spanOf(b.block, b.batch).until - spanOf(a.block, a.batch).until || b.block.id - a.block.id);
      return pageOf(found.map(stored), "archive", page);
    },
    archiveBytes: async (ids) => {
      const found = all().filter(({ block }) => ids.includes(block.id));
      return new Map(found.map(({ block }) => [block.id, block.bytes]));
    },
    archiveBlockOf: async (batchId, line, after = 0) => {
      const found = all().find(({ block, batch }) => batch.id === batchId && block.id > after && hasLine(block, line));
      return found ? stored(found) : null;
    },
  };
}

function hasLine({ firstLine, lastLine, present }: Held, line: number): boolean {
  if (line < firstLine || line > lastLine) return false;
  const bit = line - firstLine;
  return present === null || ((present[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
}

function spanOf(block: Held, batch: Batch): { since: number; until: number } {
  return { since: block.firstAt ?? batch.receivedAt, until: block.lastAt ?? batch.receivedAt };
}

export function stored({ block, batch }: { block: Held; batch: Batch }): StoredBlock {
  const { bytes: _, filter: __, present: ___, ...rest } = block;
  return { ...structuredClone(rest), batch: batch.id, receivedAt: batch.receivedAt };
}

/** May the filter's block hold all of these tokens? */
export function mayContain(filter: Uint8Array, tokens: readonly string[]): boolean {
  const sliceBytes = filter.length / SLICES;
  return tokens.every((token) => {
    const hash = tokenHash(token);
    const from = sliceOf(hash) * sliceBytes;
    return sliceMayContain(filter.subarray(from, from + sliceBytes), hash);
  });
}
