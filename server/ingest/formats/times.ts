/** Times as producers write them → epoch ms. Naive times take the delivery's zone; a missing year is the one nearest to receipt. */

export interface ReadTime {
  at: number;
  /** The text had no zone or no year, and none was given with the delivery. */
  assumed: boolean;
}

export interface Clock {
  /** IANA zone or offset; null = UTC, marked assumed. */
  tz: string | null;
  /** Epoch ms. */
  receivedAt: number;
}

const ISO = /^(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9})\d*)?\s?(Z|UTC|[+-]\d\d:?\d\d)?$/;
const YEARLESS = /^(?:([A-Z][a-z]{2})\s+(\d{1,2})|(\d\d)-?(\d\d)) (\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?$/;
/** Layouts with a month's name or without marks, as ISO-like parts: Apache's, e-mail's, C's, compact ISO, rich's American one. */
const OTHERS: readonly RegExp[] = [
  /^(?<day>\d\d)\/(?<name>[A-Z][a-z]{2})\/(?<year>\d{4}):(?<clock>\d\d:\d\d:\d\d) ?(?<zone>[+-]\d{4})?$/,
  /^(?:[A-Z][a-z]{2}, )?(?<day>\d{1,2}) (?<name>[A-Z][a-z]{2}) (?<year>\d{4}) (?<clock>\d\d:\d\d:\d\d) ?(?<zone>GMT|UTC|Z|[+-]\d{4})?$/,
  /^(?:[A-Z][a-z]{2} )(?<name>[A-Z][a-z]{2}) +(?<day>\d{1,2}) (?<clock>\d\d:\d\d:\d\d) (?:(?<zone>GMT|UTC) )?(?<year>\d{4})$/,
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)T(?<clock>\d{6}) ?(?<zone>Z|[+-]\d{4})?$/,
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[T ](?<clock>\d\d:\d\d)(?<zone>Z|[+-]\d\d:?\d\d)?$/,
  /^(?<month>\d\d)\/(?<day>\d\d)\/(?<year>\d\d) (?<clock>\d\d:\d\d:\d\d)$/,
];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * Seconds, ms, µs or ns since 1970 by their number of digits → ms; null for 0, negative or absurd values. What is below a millisecond is
 * cut off, as it is of a written time, so that a line has one time whichever way its collector writes it.
 */
export function epochMs(value: number): number | null {
  if (!Number.isFinite(value) || value < 1e8) return null;
  // A double holds seconds of today to 0.0003 ms, and nanoseconds to 128: a time on the millisecond must not fall below it.
  if (value < 1e11) return Math.floor(value * 1000 + 0.0005);
  if (value < 1e14) return Math.floor(value);
  if (value < 1e17) return Math.floor(value / 1e3);
  return value < 1e20 ? Math.floor((value + 128) / 1e6) : null;
}

/** The same of digits alone, exactly. */
export function epochDigits(digits: string): number | null {
  const isFine = digits.length === 16 || digits.length === 19;
  return epochMs(Number(isFine ? digits.slice(0, 13) : digits));
}

/** The end of time for `Date`, ms since 1970. */
const LAST_MS = 8.64e15;

/** Null for what is no date: a number in JSON may be larger than any time. */
export function dateMs(ms: number): number | null {
  return Math.abs(ms) <= LAST_MS ? ms : null;
}

/** A JSON value that holds a time: an epoch number, digits, a text, or a protobuf timestamp's `seconds` and `nanos`. */
export function timeOf(value: unknown, clock: Clock): ReadTime | null {
  if (typeof value === "number") return known(epochMs(value));
  if (typeof value === "object" && value !== null && "seconds" in value) return known(ofProtobuf(value));
  if (typeof value !== "string" || value === "") return null;
  if (/^\d{9,20}$/.test(value)) return known(epochDigits(value));
  if (/^\d{9,20}\.\d+$|^\d\.\d+e\+?\d\d?$/i.test(value)) return known(epochMs(Number(value)));
  return parseTime(value, clock);
}

function ofProtobuf(value: { seconds: unknown; nanos?: unknown }): number | null {
  const seconds = epochMs(Number(value.seconds));
  return seconds === null
    ? null
    : dateMs(seconds + Math.floor(typeof value.nanos === "number" ? value.nanos / 1e6 : 0));
}

/** ISO-like (`T` or space, comma or dot, `Z`, `+08:00`, `+0800` or naive), month and day without a year, or one of `OTHERS`. */
export function parseTime(text: string, clock: Clock): ReadTime | null {
  const iso = ISO.exec(text);
  if (iso) {
    const [, year, month, day, hour, minute, second, fraction, zone] = iso;
    const wall = utc([year, month, day, hour, minute, second].map(Number), fraction);
    return wall === null ? null : zoned(wall, zone, clock);
  }
  const short = YEARLESS.exec(text);
  return short ? yearless(short, clock) : otherLayout(text, clock);
}

function otherLayout(text: string, clock: Clock): ReadTime | null {
  for (const layout of OTHERS) {
    const found = layout.exec(text)?.groups;
    if (!found) continue;
    const { name, year = "", day, zone } = found;
    const month = name === undefined ? Number(found.month) : MONTHS.indexOf(name) + 1;
    const [hour = 0, minute = 0, second = 0] = (found.clock ?? "").match(/\d\d/g)?.map(Number) ?? [];
    const wall = utc(
      [Number(year) + (year.length === 2 ? 2000 : 0), month, Number(day), hour, minute, second],
      undefined,
    );
    return wall === null ? null : zoned(wall, zone === "GMT" ? "UTC" : zone, clock);
  }
  return null;
}

function known(at: number | null): ReadTime | null {
  return at === null ? null : { at, assumed: false };
}

function utc(parts: number[], fraction: string | undefined): number | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return null;
  const ms = fraction === undefined ? 0 : Number(fraction.slice(0, 3).padEnd(3, "0"));
  return Date.UTC(year, month - 1, day, hour, minute, second, ms);
}

function zoned(wall: number, zone: string | undefined, clock: Clock): ReadTime | null {
  if (zone === "Z" || zone === "UTC") return { at: wall, assumed: false };
  if (zone !== undefined) return { at: wall - offsetMs(zone), assumed: false };
  if (clock.tz === null) return { at: wall, assumed: true };
  return { at: fromZone(wall, clock.tz), assumed: false };
}

function yearless(match: RegExpExecArray, clock: Clock): ReadTime | null {
  const [, name, dayOfName, month, day, hour, minute, second, fraction] = match;
  const monthNumber = name === undefined ? Number(month) : MONTHS.indexOf(name) + 1;
  const received = new Date(clock.receivedAt).getUTCFullYear();
  const candidates = [received - 1, received, received + 1].flatMap((year) => {
    const wall = utc(
      [year, monthNumber, Number(dayOfName ?? day), Number(hour), Number(minute), Number(second)],
      fraction,
    );
    const time = wall === null ? null : zoned(wall, undefined, clock);
    return time ? [time.at] : [];
  });
  candidates.sort((a, b) => Math.abs(a - clock.receivedAt) - Math.abs(b - clock.receivedAt));
  const at = candidates[0];
  return at === undefined ? null : { at, assumed: true };
}

function offsetMs(zone: string): number {
  const sign = zone.startsWith("-") ? -1 : 1;
  const digits = zone.replace(/\D/g, "");
  return sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2, 4))) * 60_000;
}

/** A wall time in an IANA zone (or a fixed offset) → epoch ms; twice, so that it is right beside a clock change. */
function fromZone(wall: number, tz: string): number {
  if (/^[+-]\d\d:?\d\d$/.test(tz)) return wall - offsetMs(tz);
  const first = wall - zoneOffset(wall, tz);
  return wall - zoneOffset(first, tz);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function zoneOffset(at: number, tz: string): number {
  let format = formatters.get(tz);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: tz,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formatters.set(tz, format);
  }
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const wall = Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second);
  return wall - Math.floor(at / 1000) * 1000;
}
