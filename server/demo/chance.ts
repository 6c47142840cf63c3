import { createHash } from "node:crypto";

/** A seeded source of numbers, so that the demo fleet is the same on every machine and in every test. */
export class Chance {
  private state: number;
  constructor(seed: string) {
    this.state = createHash("sha256").update(seed).digest().readUInt32LE(0);
  }

  /** In [0, 1). (mulberry32: 32 bits of state are plenty for a few thousand draws.) */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** A copy in another order. */
  shuffle<T>(items: readonly T[]): T[] {
    const order = items.map((item) => ({ item, at: this.next() }));
    return order.sort((a, b) => a.at - b.at).map(({ item }) => item);
  }
}

function hex(name: string): string {
  return createHash("sha256").update(name).digest("hex");
}

/** A UUID (version 4 in form) that is always the same for one name. */
export function idOf(name: string): string {
  const h = hex(name);
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20, 32)}`;
}

/** `digits` hexadecimal digits that are always the same for one name. */
export function digitsOf(name: string, digits: number): string {
  return hex(name).slice(0, digits);
}
