/** Looks at the beginning of a stream and hands all of it on. */
import { type BundleKind, bundleKindOf, KIND_BYTES } from "./bundle-kind";

export interface Sniffed {
  kind: BundleKind | null;
  /** The first bytes, some of them or all. */
  head: Uint8Array;
  /** The whole stream from its first byte on. */
  chunks: AsyncIterable<Uint8Array>;
}

/** Throws `unsupported` for an archive of a kind that cannot be read. */
export async function sniffBundle(source: AsyncIterable<Uint8Array>): Promise<Sniffed> {
  const chunks = source[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < KIND_BYTES) {
    const next = await chunks.next();
    if (next.done) break;
    first.push(Buffer.from(next.value));
    bytes += next.value.length;
  }
  const head = Buffer.concat(first);
  try {
    return { kind: bundleKindOf(head), head, chunks: all(head, chunks) };
  } catch (error) {
    await chunks.return?.();
    throw error;
  }
}

async function* all(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    for (;;) {
      const next = await rest.next();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}
