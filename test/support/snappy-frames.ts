import { compress } from "snappyjs";

/** Bytes in Snappy's framing format, `size` of them a chunk: the first as they are, a padding after it, the rest packed. Without checksums. */
export function snappyFrames(bytes: Buffer, size: number): Buffer {
  const made = [chunk(0xff, Buffer.from("sNaPpY"))];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    const body = at === 0 ? part : compress(part);
    made.push(chunk(at === 0 ? 0x01 : 0x00, Buffer.concat([Buffer.alloc(4), body])));
    if (at === 0) made.push(chunk(0xfe, Buffer.alloc(7)));
  }
  return Buffer.concat(made);
}

function chunk(type: number, body: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(type + body.length * 256);
  return Buffer.concat([head, body]);
}
