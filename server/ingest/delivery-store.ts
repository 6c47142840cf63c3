/** What a delivery asks of the store, which may be in another thread. */
import type { Store } from "@/server/domain/store";
import { settleQueued } from "./settle-joined";

export const DELIVERY_METHODS = [
  "batch",
  "batchByDigest",
  "rejects",
  "openBatch",
  "append",
  "closeBatch",
  "dropBatch",
] as const satisfies readonly (keyof Store)[];
type DeliveryMethod = (typeof DELIVERY_METHODS)[number];

export interface DeliveryStore extends Pick<Store, DeliveryMethod> {
  /** Resolves when everything that was queued before this call is derived. */
  settleQueued(): Promise<unknown>;
}

export function deliveryStoreOf(store: Store | DeliveryStore): DeliveryStore {
  return "settleQueued" in store ? store : { ...store, settleQueued: () => settleQueued(store) };
}

type Call = (method: string, args: unknown[]) => Promise<unknown>;

/** The store of another thread, by calls that `deliveryOperations` answers there. */
export function deliveryStoreBy(call: Call): DeliveryStore {
  const names = [...DELIVERY_METHODS, "settleQueued"];
  const entries = names.map((name) => [name, (...args: unknown[]) => call(nameOf(name), args)]);
  return Object.fromEntries(entries) as unknown as DeliveryStore;
}

export function deliveryOperations(store: Store): Record<string, unknown> {
  const whole = deliveryStoreOf(store);
  const names = [...DELIVERY_METHODS, "settleQueued"] as const;
  return Object.fromEntries(names.map((name) => [nameOf(name), whole[name]]));
}

/** Apart from the calls by which others change the store: a delivery may drop what is still being received. */
function nameOf(method: string): string {
  return `delivery.${method}`;
}
