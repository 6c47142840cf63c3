/** Does the store answer? */
import { RULES_VERSION } from "@/server/classify/classify";
import type { Health } from "@/server/domain/product-answers";
import type { Store } from "@/server/domain/store";

export interface HealthInput {
  version: string;
  rulesVersion?: string;
  /** A store that has not answered after this many ms does not answer. */
  timeoutMs: number;
}

/** Never throws: a store that fails or hangs is `unavailable`. */
export async function health(store: Store, input: HealthInput): Promise<Health> {
  const said = { version: input.version, taxonomy: input.rulesVersion ?? RULES_VERSION };
  try {
    const asked = Promise.all([store.bytes(), store.unsettledCount(), store.dataVersion()]);
    const [storeBytes, unsettled, dataVersion] = await within(asked, input.timeoutMs);
    return { ...said, ok: true, store: "ok", storeBytes, unsettled, dataVersion };
  } catch {
    return { ...said, ok: false, store: "unavailable", storeBytes: null, unsettled: 0, dataVersion: null };
  }
}

function within<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the store did not answer in time")), timeoutMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
