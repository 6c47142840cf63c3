/** How long a question waits for what takes long to compute, before it answers without it. */

export interface Patience {
  /** What `answer` gives; null when it is not there when patience is over. A failure is the question's own. */
  wait<T>(answer: Promise<T>): Promise<T | null>;
}

/** What answers that are there gave: they need no timer. */
const given = new WeakMap<Promise<unknown>, { value: unknown }>();

/** When an answer was first waited for: who asks again while it is computed has waited already. */
const since = new WeakMap<Promise<unknown>, number>();

/** From now on so many ms for all that a question waits for, and so many for one answer; Infinity waits to the end. */
export function patienceOf(ms: number): Patience {
  const until = performance.now() + ms;
  return {
    async wait<T>(answer: Promise<T>) {
      if (until === Number.POSITIVE_INFINITY) return answer;
      // Asked for and given up on: who asks next will hear of its failure.
      answer.catch(() => undefined);
      const known = given.get(answer);
      if (known) return known.value as T;
      if (!since.has(answer)) answer.then((value) => given.set(answer, { value })).catch(() => undefined);
      const first = since.get(answer) ?? performance.now();
      since.set(answer, first);
      const left = Math.min(until, first + ms) - performance.now();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const over = new Promise<null>((resolve) => {
        timer = setTimeout(() => resolve(null), Math.max(0, left));
      });
      return Promise.race([answer, over]).finally(() => clearTimeout(timer));
    },
  };
}
