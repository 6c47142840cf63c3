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
const BITS_PER_TOKEN = 12;

const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;
const NINE = 57;
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

function finished(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The different hashes of what one block holds. */
export class TokenSet {
  private slots = new Uint32Array(1024);
  /** 1 where `addPlain` knows the token of a slot. */
  private plain = new Uint8Array(1024);
  private readonly pairs = new Uint8Array(1 << 14);
  private readonly fresh: number[] = [];
  size = 0;

  addToken(token: string): void {
    this.add(tokenHash(token));
  }

  /** Adds the tokens of `bytes[from..to)`, UTF-8. */
  addBytes(bytes: Uint8Array, from: number, to: number): void {
    let hash = BASIS;
    let length = 0;
    for (let at = from; at < to; at++) {
      const byte = TOKEN_BYTE[bytes[at] as number] as number;
      if (byte !== 0) {
        hash = Math.imul(hash ^ byte, PRIME);
        length++;
      } else if (length > 0) {
        if (length >= MIN_TOKEN) this.add(finished(hash));
        hash = BASIS;
        length = 0;
      }
    }
    if (length >= MIN_TOKEN) this.add(finished(hash));
  }

  /**
   * Adds the tokens of `bytes[from..to)`, ASCII, unless one of them, also of two characters, is `suspicious`: then it adds none and
   * says false. A token with letters is asked about when it is new to this set.
   */
  addPlain(bytes: Uint8Array, from: number, to: number, suspicious: (token: string) => boolean): boolean {
    const { slots, plain, fresh } = this;
    const mask = slots.length - 1;
    fresh.length = 0;
    let hash = BASIS;
    let start = from;
    let greatest = 0;
    for (let at = from; at <= to; at++) {
      const byte = at === to ? 0 : (TOKEN_BYTE[bytes[at] as number] as number);
      if (byte !== 0) {
        hash = Math.imul(hash ^ byte, PRIME);
        if (byte > greatest) greatest = byte;
        continue;
      }
      if (at - start >= MIN_TOKEN) {
        const value = nonZero(finished(hash));
        let slot = value & mask;
        while (slots[slot] !== value && slots[slot] !== 0) slot = (slot + 1) & mask;
        if (plain[slot] === 0) {
          // Digits alone are plain, and most new tokens are digits: times and counts.
          if (greatest > NINE && suspicious(asciiOf(bytes, start, at))) return false;
          fresh.push(value);
        }
      } else if (at - start === 2 && this.isOddPair(bytes, start, suspicious)) return false;
      if (at > start) hash = BASIS;
      greatest = 0;
      start = at + 1;
    }
    for (let i = 0; i < fresh.length; i++) this.add(fresh[i] as number, 1);
    return true;
  }

  /** The same of two characters, which are no token of the filter. */
  private isOddPair(bytes: Uint8Array, at: number, suspicious: (token: string) => boolean): boolean {
    const pair = ((bytes[at] as number) << 7) | (bytes[at + 1] as number);
    if (this.pairs[pair] === 1) return false;
    if (suspicious(asciiOf(bytes, at, at + 2))) return true;
    this.pairs[pair] = 1;
    return false;
  }

  /** Adds the hash of a token. */
  add(hash: number, plain: 0 | 1 = 0): void {
    const at = this.slotOf(hash);
    if (plain === 1) this.plain[at] = 1;
    if (this.slots[at] !== 0) return;
    this.slots[at] = nonZero(hash);
    if (++this.size * 2 > this.slots.length) this.grow();
  }

  clear(): void {
    this.slots.fill(0);
    this.plain.fill(0);
    this.pairs.fill(0);
    this.size = 0;
  }

  /** Where a hash is, or would be put. */
  private slotOf(hash: number): number {
    const value = nonZero(hash);
    const mask = this.slots.length - 1;
    let at = value & mask;
    for (let found = this.slots[at]; found !== 0 && found !== value; found = this.slots[at]) at = (at + 1) & mask;
    return at;
  }

  /** A filter that holds them all. */
  filter(): Uint8Array {
    const sliceBytes = Math.max(8, Math.ceil((this.size * BITS_PER_TOKEN) / SLICES / 8));
    const filter = new Uint8Array(sliceBytes * SLICES);
    for (const hash of this.slots) {
      if (hash === 0) continue;
      const from = sliceOf(hash) * sliceBytes;
      eachBit(hash, sliceBytes * 8, (bit) => {
        filter[from + (bit >>> 3)] = (filter[from + (bit >>> 3)] as number) | (1 << (bit & 7));
        return true;
      });
    }
    return filter;
  }

  private grow(): void {
    const [slots, plain] = [this.slots, this.plain];
    this.slots = new Uint32Array(slots.length * 2);
    this.plain = new Uint8Array(slots.length * 2);
    this.size = 0;
    for (let i = 0; i < slots.length; i++) if (slots[i] !== 0) this.add(slots[i] as number, plain[i] as 0 | 1);
  }
}

/** 0 marks a free slot. */
function nonZero(hash: number): number {
  return hash === 0 ? 1 : hash;
}

function asciiOf(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(TOKEN_BYTE[bytes[at] as number] as number);
  return text;
}

/** The slice in which all bits of a hash lie. */
export function sliceOf(hash: number): number {
  return hash >>> SLICE_SHIFT;
}

/** May a slice hold this hash? A slice without bytes holds nothing. */
export function sliceMayContain(slice: Uint8Array, hash: number): boolean {
  const value = hash === 0 ? 1 : hash;
  return (
    slice.length > 0 &&
    eachBit(value, slice.length * 8, (bit) => ((slice[bit >>> 3] as number) & (1 << (bit & 7))) !== 0)
  );
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

/** Visits the bits of a hash among `bits` until `visit` says no; true when it never did. */
function eachBit(hash: number, bits: number, visit: (bit: number) => boolean): boolean {
  const step = (Math.imul(hash, 0x9e3779b1) >>> 0) | 1;
  let at = Math.imul(hash, 0x85ebca6b) >>> 0;
  for (let i = 0; i < PROBES; i++) {
    if (!visit(at % bits)) return false;
    at = (at + step) >>> 0;
  }
  return true;
}
