/** Many tests at once: the share of false alarms among what is flagged (Benjamini & Hochberg 1995). */

/** q-values in the order of the p-values: the smallest false discovery rate at which each would be flagged. */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const order = pValues.map((p, at) => ({ p, at })).sort((a, b) => b.p - a.p);
  const q = new Array<number>(pValues.length).fill(1);
  let smallest = 1;
  for (const [rank, { p, at }] of order.entries()) {
    smallest = Math.min(smallest, (p * pValues.length) / (pValues.length - rank));
    q[at] = smallest;
  }
  return q;
}
