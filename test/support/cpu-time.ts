/** Time that this thread itself was at work: on a busy machine the clock runs on while a thread waits for its turn. */
import { readFileSync } from "node:fs";

/** Milliseconds of CPU time that this thread has used; where the system does not tell, milliseconds of the clock. */
export function cpuMilliseconds(): number {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** CPU time of this thread for `work`, in milliseconds. */
export function cpuMillisecondsOf(work: () => unknown): number {
  const began = cpuMilliseconds();
  work();
  return cpuMilliseconds() - began;
}

/** CPU time of this thread until `work` has settled, in milliseconds. */
export async function cpuMillisecondsUntil(work: () => Promise<unknown>): Promise<number> {
  const began = cpuMilliseconds();
  await work();
  return cpuMilliseconds() - began;
}

/** Below it a measurement says nothing. */
const LEAST_MS = 1;

/** How many times as long `work` takes for 8 × `size` as for `size`: 8 when it is linear, 64 when it is quadratic, on any machine. */
export function growth(work: (size: number) => unknown, size: number): number {
  const best = (n: number) => Math.min(...[0, 1, 2].map(() => cpuMillisecondsOf(() => work(n))));
  return best(8 * size) / Math.max(LEAST_MS, best(size));
}

/** Between linear and quadratic. */
export const LINEAR = 32;
/** Between quadratic and cubic. */
export const QUADRATIC = 200;
