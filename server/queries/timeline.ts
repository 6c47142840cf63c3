/** Time buckets for charts: few enough to draw, wide enough to hold the whole run. Pure. */
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const WIDTHS = [1, 5, 10, 15, 30, 60, 120, 240, 360, 720, 1440, 2880, 10_080].map((minutes) => minutes * MINUTE);
export const MOST_BUCKETS = 120;

/** The narrowest width in ms, of the usual ones, that holds `from`…`to` (epoch ms) in at most 120 buckets. */
export function bucketWidth(from: number, to: number): number {
  const fits = WIDTHS.find((width) => bucketsIn(from, to, width) <= MOST_BUCKETS);
  return fits ?? Math.ceil((to - from) / (MOST_BUCKETS - 1) / DAY) * DAY;
}

function bucketsIn(from: number, to: number, width: number): number {
  return Math.floor(to / width) - Math.floor(from / width) + 1;
}

/** Every bucket start from the first to the last, those without data too. */
export function bucketStarts(first: number, last: number, width: number): number[] {
  const starts: number[] = [];
  for (let at = first; at <= last && starts.length < MOST_BUCKETS; at += width) starts.push(at);
  return starts;
}
