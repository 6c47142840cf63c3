/** Numbers of any size up to 2^53 as bytes of seven bits, the least first; and back. */

export class ByteWriter {
  private bytes: Uint8Array;
  length = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(Math.max(64, capacity));
  }

  /** A whole number ≥ 0. */
  varint(value: number): void {
    if (this.length + 8 > this.bytes.length) this.grow(8);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest = rest < 0x80000000 ? rest >>> 7 : Math.floor(rest / 128);
    }
    this.bytes[this.length++] = rest;
  }

  /** A whole number of either sign. */
  signed(value: number): void {
    this.varint(value < 0 ? -value * 2 - 1 : value * 2);
  }

  raw(more: Uint8Array): void {
    if (this.length + more.length > this.bytes.length) this.grow(more.length);
    this.bytes.set(more, this.length);
    this.length += more.length;
  }

  /** What was written; a view, not a copy. */
  done(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private grow(more: number): void {
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

export class ByteReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new RangeError("the bytes end inside a number");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  raw(length: number): Uint8Array {
    if (this.at + length > this.bytes.length) throw new RangeError("the bytes end inside a text");
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}
