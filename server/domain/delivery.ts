import type { DeliveryParams } from "./batch";

/** One body as a sender gives it, before anything of it is read. */
export interface Delivery {
  params: DeliveryParams;
  name: string | null;
  /** `Content-Encoding` as sent; null when none was. */
  encoding: string | null;
  /** The body as sent; read as it comes, never held whole. */
  body: AsyncIterable<Uint8Array>;
  /** Aborts when the sender goes away. */
  signal: AbortSignal;
}
