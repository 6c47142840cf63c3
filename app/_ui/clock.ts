/** Times as the reader wants them: in UTC or in their own zone. Pure. */

export interface Zone {
  /** IANA name; `UTC` when the reader wants UTC. */
  name: string;
}

export const UTC: Zone = { name: "UTC" };

const formats = new Map<string, Intl.DateTimeFormat>();

function parts(at: number, zone: Zone): Record<string, string> {
  let format = formats.get(zone.name);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone.name,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formats.set(zone.name, format);
  }
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
}

/** `2026-11-27` */
export function day(at: number, zone: Zone): string {
  const p = parts(at, zone);
  return `${p.year}-${p.month}-${p.day}`;
}

/** `11-27`, for axes. */
export function shortDay(at: number, zone: Zone): string {
  return day(at, zone).slice(5);
}

/** `14:22` */
export function minute(at: number, zone: Zone): string {
  const p = parts(at, zone);
  return `${p.hour}:${p.minute}`;
}

/** `14:22:07` */
export function second(at: number, zone: Zone): string {
  const p = parts(at, zone);
  return `${p.hour}:${p.minute}:${p.second}`;
}

/** `2026-11-27 14:22:07` */
export function full(at: number, zone: Zone): string {
  return `${day(at, zone)} ${second(at, zone)}`;
}

/** `11-27 14:22:07`, for lists. */
export function brief(at: number, zone: Zone): string {
  return full(at, zone).slice(5);
}

/** Milliseconds too, for lines of evidence: `14:22:07.031`. */
export function precise(at: number, zone: Zone): string {
  return `${second(at, zone)}.${String(((at % 1000) + 1000) % 1000).padStart(3, "0")}`;
}

/** Is it a name that this runtime knows? A cookie may hold anything. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
