import { Chance } from "./chance";

/** How likely the made-up agent solves a task, 0–1: the same in every run, so that paired comparisons mean something. */
export function chanceToPass(task: number): number {
  return new Chance(`task ${task}`).next();
}

/**
 * How many of each task's `open` rollouts passed, so that they sum to exactly `total` and follow the tasks' difficulty:
 * round the expected counts, then give and take where the rounding was furthest off. Throws when `total` cannot be reached.
 */
export function spreadPasses(tasks: readonly number[], open: readonly number[], total: number): number[] {
  const capacity = open.reduce((sum, n) => sum + n, 0);
  if (total < 0 || total > capacity) throw new RangeError(`${total} passes do not fit into ${capacity} rollouts`);
  // Shifted by what the group as a whole must reach.
  const mean = tasks.reduce((sum, task) => sum + chanceToPass(task), 0) / tasks.length;
  const shift = total / capacity - mean;
  const expected = tasks.map((task, i) => Math.min(1, Math.max(0, chanceToPass(task) + shift)) * (open[i] as number));
  const counts = expected.map(Math.round);
  for (let sum = counts.reduce((a, b) => a + b, 0); sum !== total; sum += Math.sign(total - sum)) {
    const step = Math.sign(total - sum);
    const fits = (i: number): boolean =>
      step > 0 ? (counts[i] as number) < (open[i] as number) : (counts[i] as number) > 0;
    const want = (i: number): number => step * ((expected[i] as number) - (counts[i] as number));
    const best = counts
      .map((_, i) => i)
      .filter(fits)
      .sort((a, b) => want(b) - want(a) || a - b)[0] as number;
    counts[best] = (counts[best] as number) + step;
  }
  return counts;
}
