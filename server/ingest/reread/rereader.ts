/** Reads deliveries again by the formats and envelopes of this version. */
import type { Classifier } from "@/server/classify/classifier";
import type { Store } from "@/server/domain/store";
import type { Rereader } from "@/server/reclassify/rereader";
import type { Readers } from "../detect-names";
import { ENVELOPES } from "../envelopes/list";
import { FORMATS } from "../formats/list";
import { readerVersion } from "../reader-version";
import { settleQueued } from "../settle-joined";
import { rereadDelivery } from "./reread-delivery";

export function rereaderOf(
  store: Store,
  classifier: Classifier,
  readers: Readers = { formats: FORMATS, envelopes: ENVELOPES },
): Rereader {
  return {
    version: readerVersion(readers),
    read: (batch, options) => rereadDelivery(store, batch, { ...options, readers, classifier }),
    settle: () => settleQueued(store),
  };
}
