/** ln Γ and what is made of it: factorials and binomial coefficients too large to write out. */

const HALF_LN_TWO_PI = 0.9189385332046727;
/** Stirling's series needs an argument at least this large for full double precision. */
const STIRLING_FROM = 16;

/** ln Γ(x) for x > 0; NaN otherwise. Relative error about 1e-15. */
export function logGamma(x: number): number {
  if (!(x > 0)) return Number.NaN;
  let shift = 0;
  let y = x;
  while (y < STIRLING_FROM) {
    shift += Math.log(y);
    y += 1;
  }
  const r = 1 / (y * y);
  const series = (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r / 1188)))) / y;
  return (y - 0.5) * Math.log(y) - y + HALF_LN_TWO_PI + series - shift;
}

const SMALL = Float64Array.from({ length: 2048 }, (_, n) => logGamma(n + 1));

/** ln n! for a whole n ≥ 0. */
export function logFactorial(n: number): number {
  return SMALL[n] ?? logGamma(n + 1);
}

/** ln of n choose k; −∞ when k is outside 0…n. */
export function logChoose(n: number, k: number): number {
  if (k < 0 || k > n) return Number.NEGATIVE_INFINITY;
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}
