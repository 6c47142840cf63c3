/** Streams that never end by themselves would hold up the end of the process; they end when it is told to stop. */

const KEY = Symbol.for("coalmine.stopping");
type WithStopping = { [KEY]?: AbortController };

/** Aborts on SIGTERM, SIGINT and SIGHUP. One for the process: Next.js builds several module graphs. */
export function stopping(): AbortSignal {
  const held = globalThis as WithStopping;
  if (!held[KEY]) {
    const controller = new AbortController();
    held[KEY] = controller;
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => controller.abort());
  }
  return held[KEY].signal;
}
