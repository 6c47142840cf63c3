/**
 * When the rows of one append say something new of a pod, pod name or pod IP: a pod of a pool serves one sandbox after
 * the other, and only those that it served then have to be derived again.
 */
import { isReused, type Ref } from "@/server/domain/refs";
import { NO_SPAN, type Span, union } from "@/server/domain/span";

export class NewSpans {
  /** null: what is new may be about all of its time. */
  private readonly spans = new Map<Ref, Span | null>();

  /** Something new of `ref` between these times; null: it does not say when. */
  note(ref: Ref, from: number | null, to: number | null): void {
    if (!isReused(ref)) return;
    const known = this.spans.get(ref);
    if (known === null || from === null || to === null) this.spans.set(ref, null);
    else this.spans.set(ref, union(known ?? NO_SPAN, { from, to }));
  }

  /** Rows speak of `ref`, and say nothing that is new. */
  nothingNew(ref: Ref): void {
    if (isReused(ref) && !this.spans.has(ref)) this.spans.set(ref, NO_SPAN);
  }

  /** Undefined for what no row spoke of: then nothing is known of when. */
  get(ref: Ref): Span | null | undefined {
    return this.spans.get(ref);
  }
}
