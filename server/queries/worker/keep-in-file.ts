/** Keeps results over restarts. */
import { deserialize, serialize } from "node:v8";
import { contentKey, keepInMemory } from "../by-content";
import type { Keeper } from "../heavy-work";

/** Bytes by key, in no hurry to be durable: what is lost is computed again. Never throws. */
export interface KeptAnswers {
  get(key: string): Uint8Array | null;
  put(key: string, bytes: Uint8Array): void;
  close(): void;
}

/** The last of this process in memory, all in `file`. `program` names the code that computes. */
export function keepInFile(file: KeptAnswers, program: string): Keeper {
  const memory = keepInMemory(500);
  return {
    kept<I, O>(kind: string, input: I, compute: (input: I) => O): O {
      return memory.kept(kind, input, (same) => {
        const key = contentKey(`${program} ${kind}`, same);
        const bytes = file.get(key);
        if (bytes !== null) return deserialize(bytes) as O;
        const result = compute(same);
        file.put(key, serialize(result));
        return result;
      });
    },
  };
}
