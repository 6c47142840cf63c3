/** With what heavy questions are answered. */
import type { Store } from "@/server/domain/store";

/** Results kept by the content of what they were computed from, so that what did not change is not computed again. */
export interface Keeper {
  /** `input` must be plain data. */
  kept<I, O>(kind: string, input: I, compute: (input: I) => O): O;
}

export interface HeavyWork {
  store: Store;
  keeper: Keeper;
}
