/** Costly pure results kept by what they were computed from, so that a run that did not change is not computed again when others do. */
import { createHash } from "node:crypto";
import type { Keeper } from "./heavy-work";

/** Names a computation and its input, which must be plain data. */
export function contentKey(kind: string, input: unknown): string {
  return createHash("sha256")
    .update(`${kind}\n${JSON.stringify(input)}`)
    .digest("base64");
}

/** Keeps the last `most` results of this process. */
export function keepInMemory(most: number): Keeper {
  const results = new Map<string, unknown>();
  return {
    kept<I, O>(kind: string, input: I, compute: (input: I) => O): O {
      const key = contentKey(kind, input);
      const result = results.has(key) ? (results.get(key) as O) : compute(input);
      results.delete(key);
      results.set(key, result);
      const [oldest] = results.keys();
      if (results.size > most && oldest !== undefined) results.delete(oldest);
      return result;
    },
  };
}
