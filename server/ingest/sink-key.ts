/** The natural keys of one delivery's observations, as they are made one after the other. */
import type { DeliveryParams } from "@/server/domain/batch";
import type { Payload, Seen } from "./format";
import { hashKey, Ordinals, senderId, streamId } from "./natural-key";
import { redact } from "./redact";

/** A longer payload (a document, a row with its trajectory) is not what tells two of its observations apart. */
const MAX_KEY_TEXT = 65_536;

export class RecordKeys {
  private readonly ordinals = new Ordinals();
  /** Observations made of the payload being read. */
  private observed = 0;

  constructor(private readonly params: DeliveryParams) {}

  /** Another payload is read from here on. */
  begin(): void {
    this.observed = 0;
  }

  /** Of the redacted text, which is what the archive keeps: a line that is read again keeps its keys. */
  next(payload: Payload, seen: Seen, at: number | null, run: string | null): string {
    const { cluster, source } = this.params;
    if (seen.naturalKey !== undefined) return hashKey(["own", cluster, seen.naturalKey]);
    const text = payload.text.length > MAX_KEY_TEXT ? (seen.text ?? seen.evidence.message ?? "") : payload.text;
    // Collectors deliver at least once: of a pod the same text at the same time is the same record, also in one delivery.
    const sender = at === null ? null : senderId(cluster, payload.who);
    const stream = sender ?? streamId(cluster, payload.who, { run, source });
    const key = hashKey([stream, at, redact(text).replace(/[\r\n]+$/, ""), this.observed++]);
    return sender === null ? hashKey([key, this.ordinals.next(key)]) : key;
  }
}
