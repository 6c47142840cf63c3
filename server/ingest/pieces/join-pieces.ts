/** After an append or an undo: joins the records that were cut between deliveries, before anything is derived of them. */
import { BUILT_IN, type Classifier } from "@/server/classify/classifier";
import type { Store } from "@/server/domain/store";
import { ENVELOPES } from "../envelopes/list";
import { FORMATS } from "../formats/list";
import { chainsOf } from "./chains";
import { joinsOf } from "./join-chain";

/** Streams a round. */
const ROUND = 500;
const READERS = { formats: FORMATS, envelopes: ENVELOPES };

/** Resolves when every stream that had news is joined. Others may append and join meanwhile: what they changed is looked at again. */
export async function joinPieces(store: Store, classifier: Classifier = BUILT_IN): Promise<void> {
  for (let streams = await store.unjoinedStreams(ROUND); streams.length > 0; ) {
    for (const stream of streams) {
      const pieces = await store.piecesOf(stream);
      const joins = chainsOf(pieces).flatMap((chain) => joinsOf(chain, READERS, classifier));
      await store.join({ stream, seen: pieces.map((piece) => piece.id), joins });
    }
    streams = await store.unjoinedStreams(ROUND);
  }
}
