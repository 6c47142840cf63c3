/** k of n with its Wilson 95 % interval; fractions. No data is null, never 0. */
export interface Rate {
  k: number;
  n: number;
  value: number;
  low: number;
  high: number;
}

/** A mean with its 95 % interval; `low`/`high` are null when n is too small for one. */
export interface Mean {
  n: number;
  value: number;
  low: number | null;
  high: number | null;
}
