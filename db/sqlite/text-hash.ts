/**
 * A 53-bit hash of a text, for narrow indexes. Not a proof of identity: whoever finds a row by it compares the text.
 * Two 32-bit lanes with different primes, each mixed at the end so that texts with a long common start spread.
 */
export function textHash(text: string): number {
  let a = 0x2f0b4c47;
  let b = 0x6d2b79f5;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x5bd1e995) + 0x3c6ef372;
  }
  a = avalanche(a ^ (b >>> 15));
  b = avalanche(b ^ (a >>> 13) ^ text.length);
  return (b & 0x1fffff) * 0x1_0000_0000 + (a >>> 0);
}

function avalanche(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}
