/** A stretch of time, epoch ms, both ends included. */
export interface Span {
  from: number;
  to: number;
}

/** Of nothing: the start of a union. */
export const NO_SPAN: Span = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };

export function union(a: Span, b: Span): Span {
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
}
