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
