/**
 * What tokens a block of lines may hold, in a few bits a token (a Bloom filter). A token is a run of at least three ASCII letters
 * and digits, lower-cased: so a UUID is five tokens, and other characters never hide one.
 *
 * A filter is cut in `SLICES`, and all bits of a token lie in one of them, so that a store can keep slices apart and read
 * an eighth of what it has to answer for one token.
 */
export const SLICES = 8;
const SLICE_SHIFT = 29;
const PROBES = 8;
/** About 3 false alarms in 1 000. */
export const BITS_PER_TOKEN = 12;

/** FNV-1a, over the bytes of a token. */
export const BASIS = 0x811c9dc5;
export const PRIME = 0x01000193;
export const MIN_TOKEN = 3;

/** Lower-cased byte of each byte that belongs to a token, 0 for the others. */
export const TOKEN_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isUpper = byte >= 65 && byte <= 90;
  const isOther = (byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 122);
  return isUpper ? byte + 32 : isOther ? byte : 0;
});

/** The different tokens of a text, in order of their first place. */
export function tokensOf(text: string): string[] {
  return [...new Set((text.match(/[A-Za-z0-9]{3,}/g) ?? []).map((token) => token.toLowerCase()))];
}

/** 32 bits of a token. */
export function tokenHash(token: string): number {
  let hash = BASIS;
  for (let i = 0; i < token.length; i++) hash = Math.imul(hash ^ token.charCodeAt(i), PRIME);
  return finished(hash);
}

/** A name (a stream's) as a token that no text has. */
export function nameHash(name: string): number {
  return tokenHash(`\u0000${name}`);
}

/** The bits of a hash, mixed once all bytes of its token are in. */
export function finished(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** 0 marks a free slot. */
export function nonZero(hash: number): number {
  return hash === 0 ? 1 : hash;
}

/** The slice in which all bits of a hash lie. */
export function sliceOf(hash: number): number {
  return hash >>> SLICE_SHIFT;
}

/** May a slice hold this hash? A slice without bytes holds nothing. */
export function sliceMayContain(slice: Uint8Array, hash: number): boolean {
  return (
    slice.length > 0 &&
    eachBit(nonZero(hash), slice.length * 8, (bit) => ((slice[bit >>> 3] as number) & (1 << (bit & 7))) !== 0)
  );
}

/** Visits the bits of a hash among `bits` until `visit` says no; true when it never did. */
export function eachBit(hash: number, bits: number, visit: (bit: number) => boolean): boolean {
  const step = (Math.imul(hash, 0x9e3779b1) >>> 0) | 1;
  let at = Math.imul(hash, 0x85ebca6b) >>> 0;
  for (let i = 0; i < PROBES; i++) {
    if (!visit(at % bits)) return false;
    at = (at + step) >>> 0;
  }
  return true;
}
