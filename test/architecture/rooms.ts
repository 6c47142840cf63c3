import type { Source } from "./sources";

/** A folder of the server, or a file that lies beside them. */
function roomOf(path: string): string | null {
  const [top, room] = path.split("/");
  return top === "server" && room !== undefined ? room.replace(/\.ts$/, "") : null;
}

/**
 * Rooms of the server that reach into each other in a ring, as `a → b → a`; null when there is none. Left out is `wire`, which knows
 * everything, and by which the threads open their stores.
 */
export function ringOfRooms(sources: readonly Source[]): string | null {
  const leads = new Map<string, Set<string>>();
  for (const { path, imports } of sources) {
    const from = roomOf(path);
    for (const { target } of imports) {
      const to = target === null ? null : roomOf(target);
      if (from === null || to === null || from === to || from === "wire" || to === "wire") continue;
      leads.set(from, (leads.get(from) ?? new Set()).add(to));
    }
  }
  const through = new Set<string>();
  const walk = (room: string, way: readonly string[]): string | null => {
    if (way.includes(room)) return [...way.slice(way.indexOf(room)), room].join(" → ");
    if (through.has(room)) return null;
    through.add(room);
    for (const next of leads.get(room) ?? []) {
      const ring = walk(next, [...way, room]);
      if (ring !== null) return ring;
    }
    return null;
  };
  for (const room of leads.keys()) {
    const ring = walk(room, []);
    if (ring !== null) return ring;
  }
  return null;
}
