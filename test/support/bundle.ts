/** Bundles a TypeScript entry, so that a test can run it in a process or thread of its own as the product does. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Inside the packages' folder, so that the bundle finds them. */
const folder = join(root, "node_modules", ".cache", "coalmine-test");

/** `entry` from the repository's root. Returns the bundle's path. */
export async function bundle(entry: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${entry.replace(/\W+/g, "-")}-${process.pid}-${++made}.mjs`);
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    alias: { "@": root.replace(/\/$/, "") },
    logLevel: "error",
  });
  return outfile;
}

let made = 0;
