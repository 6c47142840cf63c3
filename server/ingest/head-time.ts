/** When a line was written, as it says itself: for lines that came without an envelope that knows. Pure. */
import { parseTime, timeOf } from "./formats/times";

/** As far as heads and the first fields of a record reach. */
const HEAD_CHARS = 400;
/** `2026-11-27 10:00:00,272`, `[2026/11/27 10:00:00]`, `2026-11-27T10:00:00.5+02:00`, after at most a level or a prefix in brackets. */
const PLAIN =
  /^(?:\W{0,3}[A-Za-z]{0,8}[\]:\s]\s{0,3})?[\s[("']{0,3}(\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:\s?(?:Z|UTC|[+-]\d\d:?\d\d)\b)?)/;
/** `"ts":"…"`, `"time": 1791300001.2`, `time="…"`. */
const FIELD =
  /(?:^|["\s,{])@?(?:ts|time|timestamp|asctime|start_time|datetime)"?\s{0,2}[:=]\s{0,2}(?:"([^"]{10,40})"|(\d{9,20}(?:\.\d{1,9})?))/;

/** Epoch ms; null when the head says none. Naive times are taken in `tz` (null: UTC); times without a year are not read. */
export function headTime(text: string, tz: string | null): number | null {
  const head = text.length > HEAD_CHARS ? text.slice(0, HEAD_CHARS) : text;
  const clock = { tz, receivedAt: 0 };
  const plain = PLAIN.exec(head)?.[1];
  if (plain !== undefined) return parseTime(plain, clock)?.at ?? null;
  const field = FIELD.exec(head);
  const said = field?.[1] ?? field?.[2];
  // A month and a day alone would be placed in the year of receipt, which is not known here.
  if (said === undefined || !/^\d{4}-|^\d{4}\/|^\d{9}/.test(said)) return null;
  return timeOf(said, clock)?.at ?? null;
}
