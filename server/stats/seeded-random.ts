/** Repeatable pseudo-random numbers: sfc32 (Doty-Humphrey, PractRand), 128 bits of state, fast in 32-bit arithmetic. */

const TO_UNIT = 2 ** -32;

/** A stream of numbers that its seed (any finite number; its low 53 bits count) fixes. */
export class SeededRandom {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(seed: number) {
    this.a = seed | 0;
    this.b = Math.floor(seed / 2 ** 32) | 0;
    this.c = 0x9e3779b9 | 0;
    for (let i = 0; i < 15; i++) this.next();
  }

  /** In [0, 1), with 32 random bits. */
  next(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return (sum >>> 0) * TO_UNIT;
  }

  /**
   * Draws as many items as there are, with replacement, and adds each to the count of its kind (`kindOf[item]`). The state
   * lives in locals here: this is the bootstrap's inner loop.
   */
  countDraws(kindOf: Int32Array, counts: Int32Array): void {
    let { a, b, c, counter } = this;
    const scale = kindOf.length * TO_UNIT;
    for (let i = 0; i < kindOf.length; i++) {
      const sum = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + sum) | 0;
      const kind = kindOf[((sum >>> 0) * scale) | 0] as number;
      counts[kind] = (counts[kind] as number) + 1;
    }
    this.a = a;
    this.b = b;
    this.c = c;
    this.counter = counter;
  }
}
