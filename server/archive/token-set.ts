/** The different tokens of the lines of one block, gathered while the lines are written. */
import {
  BASIS,
  BITS_PER_TOKEN,
  eachBit,
  finished,
  MIN_TOKEN,
  nonZero,
  PRIME,
  SLICES,
  sliceOf,
  TOKEN_BYTE,
} from "@/server/domain/token-filter";

const BACKSLASH = 92;
const QUOTE = 34;
const LETTER_N = 110;
/** Set in letters, not in digits. */
const LETTER_BIT = 0x40;

/** Not to be told from the bytes: control characters, what is not ASCII, and what stands between a password and its host. */
const ODD = 0;
const BETWEEN = 1;
const ESCAPE = 2;

/** The same inside a JSON string; `ODD`, `BETWEEN` and `ESCAPE` for what belongs to no token. */
const ESCAPED_BYTE = TOKEN_BYTE.map((token, byte) => {
  if (token !== 0) return token;
  if (byte === BACKSLASH) return ESCAPE;
  return byte < 32 || byte >= 127 || byte === 64 ? ODD : BETWEEN;
});

/** The different hashes of what one block holds. */
export class TokenSet {
  private slots = new Uint32Array(1024);
  /** 1 where `addEscaped` knows the token of a slot. */
  private plain = new Uint8Array(1024);
  private readonly pairs = new Uint8Array(1 << 14);
  private readonly fresh: number[] = [];
  size = 0;

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
   * Writes the inside of a JSON string, `bytes[from..to)`, to `texts` at `at`, a newline at its end left out, and adds its tokens. Returns
   * where the text ends; -1, and no token is added, for other escapes than quotes and backslashes, for what is not ASCII or holds an `@`,
   * and when a token, also of two characters, is `suspicious`: one with letters is asked about when it is new to this set.
   */
  addEscaped(
    bytes: Uint8Array,
    from: number,
    to: number,
    texts: Uint8Array,
    at: number,
    suspicious: (token: string) => boolean,
  ): number {
    this.fresh.length = 0;
    let end = at;
    for (let i = from; i < to; i++) {
      const start = end;
      let hash = BASIS;
      let seen = 0;
      let byte = bytes[i] as number;
      let kind = ESCAPED_BYTE[byte] as number;
      while (kind > ESCAPE && i < to) {
        texts[end++] = byte;
        hash = Math.imul(hash ^ kind, PRIME);
        seen |= kind;
        byte = bytes[++i] as number;
        kind = ESCAPED_BYTE[byte] as number;
      }
      if (end - start > 1 && !this.isPlain(texts, start, end, hash, seen, suspicious)) return -1;
      if (i >= to) break;
      if (kind === BETWEEN) {
        texts[end++] = byte;
        continue;
      }
      if (kind === ODD) return -1;
      const escaped = bytes[++i] as number;
      if (escaped === LETTER_N && i === to - 1) break;
      if (escaped !== QUOTE && escaped !== BACKSLASH) return -1;
      texts[end++] = escaped;
    }
    return this.addFresh(end);
  }

  /** Is this run of letters and digits nothing to look at? A token that the set did not know is noted as fresh. */
  private isPlain(
    texts: Uint8Array,
    start: number,
    end: number,
    hash: number,
    seen: number,
    suspicious: (token: string) => boolean,
  ): boolean {
    if (end - start < MIN_TOKEN) return !this.isOddPair(texts, start, suspicious);
    const { slots } = this;
    const mask = slots.length - 1;
    const value = nonZero(finished(hash));
    let slot = value & mask;
    while (slots[slot] !== value && slots[slot] !== 0) slot = (slot + 1) & mask;
    if (this.plain[slot] === 1) return true;
    // Digits alone are plain, and most new tokens are digits: times and counts.
    if ((seen & LETTER_BIT) !== 0 && suspicious(asciiOf(texts, start, end))) return false;
    this.fresh.push(value);
    return true;
  }

  private addFresh(end: number): number {
    for (let i = 0; i < this.fresh.length; i++) this.add(this.fresh[i] as number, 1);
    return end;
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
    let from = 0;
    const set = (bit: number): boolean => {
      const at = from + (bit >>> 3);
      filter[at] = (filter[at] as number) | (1 << (bit & 7));
      return true;
    };
    for (const hash of this.slots) {
      if (hash === 0) continue;
      from = sliceOf(hash) * sliceBytes;
      eachBit(hash, sliceBytes * 8, set);
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

function asciiOf(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(TOKEN_BYTE[bytes[at] as number] as number);
  return text;
}
