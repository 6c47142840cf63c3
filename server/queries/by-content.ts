/** Costly pure results kept by what they were computed from, so that a run that did not change is not computed again when others do. */
import { createHash } from "node:crypto";

/** A function that remembers its last `most` results. Its input must be plain data. */
export function byContent<I, O>(compute: (input: I) => O, most: number): (input: I) => O {
  const results = new Map<string, O>();
  return (input) => {
    const key = createHash("sha256").update(JSON.stringify(input)).digest("base64");
    const known = results.get(key);
    const result = known ?? compute(input);
    results.delete(key);
    results.set(key, result);
    const [oldest] = results.keys();
    if (results.size > most && oldest !== undefined) results.delete(oldest);
    return result;
  };
}
