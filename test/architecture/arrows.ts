import type { Import, Source } from "./sources";

/** Folders whose code computes and does nothing else. */
export const PURE = [
  "server/domain/",
  "server/classify/",
  "server/derive/",
  "server/stats/",
  "server/compare/",
  "server/findings/",
  "server/ingest/formats/",
  "server/ingest/envelopes/",
];
/** Hashing is arithmetic; everything else of Node.js reads the world. */
const PURE_BUILTIN = "node:crypto";
const WIRE = "server/wire.ts";

function within(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(folder));
}

/** Names the arrow that must not be, or null. */
export function wrongArrow(from: string, found: Import): string | null {
  const to = found.target;
  if (to === null) return null;
  const arrow = `${from} → ${to}`;
  if (/^(test|deploy|dist)\//.test(to)) return arrow;
  if (from.startsWith("server/domain/")) return to.startsWith("server/domain/") ? null : arrow;
  if (from.startsWith("db/")) return within(to, ["db/", "server/domain/"]) ? null : arrow;
  if (from === WIRE) return within(to, ["db/", "server/"]) ? null : arrow;
  if (from.startsWith("server/")) return to.startsWith("server/") ? null : arrow;
  return within(to, ["app/", "server/"]) ? null : arrow;
}

/** Packages and Node.js modules that a pure file may not import. */
export function impureImport(found: Import): string | null {
  if (found.target !== null || found.specifier === PURE_BUILTIN) return null;
  return found.specifier;
}

/** Finds an import's file among those read: with its extension, or as given. */
export function fileOf(target: string, files: ReadonlyMap<string, Source>): Source | undefined {
  return [target, `${target}.ts`, `${target}.tsx`]
    .map((path) => files.get(path))
    .find((source) => source !== undefined);
}

/** The pure folders and all that they run: what a pure file calls must be pure as well. Each with the import that reached it. */
export function pureClosure(sources: readonly Source[]): Map<Source, string> {
  const files = new Map(sources.map((source) => [source.path, source]));
  const reached = new Map<Source, string>();
  const queue = sources.filter((source) => within(source.path, PURE)).map((source) => ({ source, via: source.path }));
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (reached.has(next.source)) continue;
    reached.set(next.source, next.via);
    for (const found of next.source.imports) {
      if (found.target === null || found.typeOnly) continue;
      const target = fileOf(found.target, files);
      if (target !== undefined) queue.push({ source: target, via: `${next.source.path} → ${target.path}` });
    }
  }
  return reached;
}
