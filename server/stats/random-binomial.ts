/** Random binomial counts, exact: inversion where few successes are expected, else rejection (BTRS, Hörmann 1993). */
import { binomialTerm } from "./binomial";
import { logFactorial } from "./log-gamma";
import type { SeededRandom } from "./seeded-random";

const INVERSION_BELOW = 10;

/** Number of successes in n trials of probability p. */
export function randomBinomial(random: SeededRandom, n: number, p: number): number {
  if (n <= 0 || p <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - randomBinomial(random, n, 1 - p);
  return n * p < INVERSION_BELOW ? byInversion(random, n, p) : byRejection(random, n, p);
}

function byInversion(random: SeededRandom, n: number, p: number): number {
  const odds = p / (1 - p);
  let left = random.next();
  let term = (1 - p) ** n;
  for (let k = 0; k < n; k++) {
    if (left < term) return k;
    left -= term;
    term *= ((n - k) / (k + 1)) * odds;
  }
  return n;
}

/** The constants are the paper's, fitted so that a scaled ratio of uniforms covers the binomial for n·p ≥ 10. */
function byRejection(random: SeededRandom, n: number, p: number): number {
  const spread = Math.sqrt(n * p * (1 - p));
  const b = 1.15 + 2.53 * spread;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const alpha = (2.83 + 5.1 / b) * spread;
  const mode = Math.floor((n + 1) * p);
  const peak = logFactorial(mode) + logFactorial(n - mode);
  const logOdds = Math.log(p / (1 - p));
  for (;;) {
    const u = random.next() - 0.5;
    const v = random.next();
    const edge = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / edge + b) * u + n * p + 0.5);
    if (edge >= 0.07 && v <= 0.92 - 4.2 / b) return k;
    if (k < 0 || k > n) continue;
    const accept = peak - logFactorial(k) - logFactorial(n - k) + (k - mode) * logOdds;
    if (Math.log((v * alpha) / (a / (edge * edge) + b)) <= accept) return k;
  }
}

/** Binomial counts of one probability for small n, by looking them up in tables that are made when first needed. */
export class BinomialTables {
  private readonly cumulative: (Float64Array | undefined)[] = [];

  constructor(private readonly p: number) {}

  draw(random: SeededRandom, n: number): number {
    const table = this.cumulative[n] ?? this.tableOf(n);
    const u = random.next();
    // Most counts lie close to the mean, so the search starts there.
    let k = (n * this.p) | 0;
    while ((table[k] as number) <= u) k++;
    while (k > 0 && (table[k - 1] as number) > u) k--;
    return k;
  }

  private tableOf(n: number): Float64Array {
    const table = new Float64Array(n + 1);
    let sum = 0;
    for (let k = 0; k < n; k++) {
      sum += binomialTerm(k, n, this.p);
      table[k] = sum;
    }
    table[n] = 1;
    this.cumulative[n] = table;
    return table;
  }
}
