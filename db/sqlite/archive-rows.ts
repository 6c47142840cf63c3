/** Between blocks of the archive and the columns of their tables. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ArchiveSender, StoredBlock } from "@/server/domain/archive";
import type { archiveBlocks } from "./schema-archive";

export type BlockRow = Omit<typeof archiveBlocks.$inferSelect, "batch" | "bytes" | "senders" | "present"> & {
  batch: string;
  receivedAt: number;
  senders: number;
  who: Buffer;
};

const FIELDS = [
  "stream",
  "source",
  "run",
  "node",
  "pod",
  "podUid",
  "sandbox",
  "container",
  "cluster",
  "origin",
  "replay",
] as const satisfies readonly (keyof ArchiveSender)[];

/** A list of values a sender, without the names of the fields. */
export function packSenders(senders: readonly ArchiveSender[]): Buffer {
  return deflateRawSync(JSON.stringify(senders.map((sender) => FIELDS.map((field) => sender[field]))), { level: 1 });
}

export function unpackSenders(packed: Buffer): ArchiveSender[] {
  const rows = JSON.parse(inflateRawSync(packed).toString("utf8")) as (string | null)[][];
  return rows.map((row) => {
    const { replay, ...sender } = Object.fromEntries(FIELDS.map((field, i) => [field, row[i] ?? null]));
    return { ...sender, ...(typeof replay === "string" && { replay }) };
  }) as unknown as ArchiveSender[];
}

export function toBlock(row: BlockRow): StoredBlock {
  const { seq, since: _, until: __, who, origin, ...rest } = row;
  return { ...rest, id: seq, origin: origin as StoredBlock["origin"], senders: unpackSenders(who) };
}
