/** The server's log: JSON lines on stdout. */
import pino from "pino";

const KEY = Symbol.for("coalmine.log");
type WithLog = { [KEY]?: pino.Logger };

/** One logger a process: Next.js builds several module graphs. */
export function log(): pino.Logger {
  const held = globalThis as WithLog;
  held[KEY] ??= pino({ name: "coalmine", level: process.env.COALMINE_LOG_LEVEL ?? "info" });
  return held[KEY];
}
