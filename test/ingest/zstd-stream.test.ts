import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { zstd } from "@/server/archive/zstd";
import { decodeBody } from "@/server/ingest/ingest-body";
import { zstdStream } from "@/server/ingest/zstd-stream";

const MIB = 1024 * 1024;

/** One frame of blocks that each repeat one byte 128 KiB long: four bytes for each. */
function bomb(blocks: number): Buffer {
  const block = Buffer.alloc(4);
  block.writeUIntLE((1 << 1) | ((128 * 1024) << 3), 0, 3);
  const last = Buffer.from(block);
  last[0] = (last[0] as number) | 1;
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x38]);
  return Buffer.concat([head, ...Array.from({ length: blocks - 1 }, () => block), last]);
}

test("a body of 64 KiB that stands for 2 GiB is refused before it is unpacked", async () => {
  let held = 0;
  const read = async () => {
    for await (const chunk of decodeBody(Readable.from([bomb(16 * 1024)]), "zstd")) held += chunk.length;
  };
  await expect(read()).rejects.toMatchObject({ code: "too_large" });
  expect(held).toBeLessThan(256 * MIB);
});

test("is decoded a little at a time, and only as fast as it is read", async () => {
  const stream = Readable.from([bomb(16 * 1024)]).pipe(zstdStream());
  let first = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    first = chunk.length;
    break;
  }
  expect(first).toBe(128 * 1024);
});

test("gives back what was packed, however it is cut", async () => {
  const text = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `${i * 7919} some words of a line`).join("\n"));
  const packed = Buffer.from(zstd(text));
  for (const size of [1, 1000, 70_000, packed.length]) {
    const pieces: Buffer[] = [];
    for (let at = 0; at < packed.length; at += size) pieces.push(packed.subarray(at, at + size));
    const back: Buffer[] = [];
    for await (const chunk of Readable.from(pieces).pipe(zstdStream())) back.push(chunk as Buffer);
    expect(Buffer.concat(back).equals(text)).toBe(true);
  }
});
