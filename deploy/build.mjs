/** Bundles what runs outside of Next.js: the worker threads and the command line. `node deploy/build.mjs`. */
import { chmodSync, cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { fail, root } from "./run-step.mjs";

/** Output name → source. */
const ENTRIES = {
  "ingest-worker": "server/ingest/worker/ingest-worker.ts",
  "reader-worker": "server/queries/worker/reader-worker.ts",
  "compute-worker": "server/queries/worker/compute-worker.ts",
  "canary-worker": "server/canary/worker.ts",
  coalmine: "server/cli/coalmine.ts",
};
const MIGRATIONS = join(root, "db", "sqlite", "migrations");

/** Packages that stay outside: a native module, and what is large and changes nothing by being inside. */
const EXTERNAL = ["better-sqlite3", "undici", "@toondepauw/node-zstd"];

/** CommonJS packages inside an ES module call `require` and know their folder. */
const BANNER = [
  'import { createRequire as __createRequire } from "node:module";',
  "const require = __createRequire(import.meta.url);",
].join("\n");

/**
 * Writes the bundles and the SQL migrations into `outdir`. Throws when an entry does not build.
 * @param {string} outdir
 * @param {Record<string, string>} [entries] output name → source
 */
export async function buildBundles(outdir, entries = ENTRIES) {
  for (const [name, source] of Object.entries(entries)) {
    const outfile = join(outdir, `${name}.mjs`);
    const isProgram = name === "coalmine";
    await build({
      absWorkingDir: root,
      entryPoints: [source],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      external: EXTERNAL,
      alias: { "@": root },
      banner: { js: isProgram ? `#!/usr/bin/env node\n${BANNER}` : BANNER },
      legalComments: "none",
      logLevel: "warning",
    });
    if (isProgram) chmodSync(outfile, 0o755);
  }
  const migrations = join(outdir, "migrations");
  rmSync(migrations, { recursive: true, force: true });
  if (existsSync(MIGRATIONS)) cpSync(MIGRATIONS, migrations, { recursive: true });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    await buildBundles(join(root, "dist"));
  } catch (error) {
    fail(`The bundles could not be built: ${error instanceof Error ? error.message : error}`);
  }
}
