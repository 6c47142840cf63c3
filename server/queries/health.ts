/** Does the store answer? */
import { RULES_VERSION } from "@/server/classify/classify";
import type { Health } from "@/server/domain/answers";
import type { Store } from "@/server/domain/store";

export interface HealthInput {
  version: string;
  /** Bytes on disk, where the store has a size. */
  storeBytes: number | null;
  /** A store that has not answered after this many ms does not answer. */
  timeoutMs: number;
}

/** Counting of the queue stops here: "at least so many". */
const MOST_UNSETTLED = 1000;

/** Never throws: a store that fails or hangs is `unavailable`. */
export async function health(store: Store, input: HealthInput): Promise<Health> {
  const said = { version: input.version, taxonomy: RULES_VERSION, storeBytes: input.storeBytes };
  try {
    const unsettled = await within(store.unsettled(MOST_UNSETTLED), input.timeoutMs);
    return { ...said, ok: true, store: "ok", unsettled: unsettled.length };
  } catch {
    return { ...said, ok: false, store: "unavailable", unsettled: 0 };
  }
}

function within<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the store did not answer in time")), timeoutMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
