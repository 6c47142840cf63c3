/** Builds the product (pages, then the worker and CLI bundles) when its sources changed since the last build. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, root, run, runPackage } from "./run-step.mjs";

const STAMP = join(root, "dist", "sources.sha256");
const SOURCES = ["app", "server", "db", "deploy"];
const BUNDLES = ["dist/coalmine.mjs", ".next/BUILD_ID"];

function filesIn(path) {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) return filesIn(inside);
    return entry.isFile() ? [inside] : [];
  });
}

/** A hash over everything that enters the build: sources, root configs, the lock file, the version of Node.js. */
function sourcesDigest() {
  const hash = createHash("sha256").update(process.version);
  const rootFiles = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(m?js|tsx?|json|css)$/.test(entry.name))
    .filter((entry) => !/^next-env|\.tsbuildinfo$/.test(entry.name))
    .map((entry) => join(root, entry.name));
  const folders = SOURCES.map((folder) => join(root, folder)).filter((path) => existsSync(path));
  for (const path of [...rootFiles, ...folders.flatMap(filesIn)].sort()) {
    hash.update(path.slice(root.length)).update("\0").update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}

function isFresh(digest) {
  if (!BUNDLES.every((path) => existsSync(join(root, path)))) return false;
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === digest;
}

/** Resolves to true when the product is built; says why and resolves to false when a build step failed. */
export async function buildProduct() {
  const digest = sourcesDigest();
  if (isFresh(digest)) return true;
  rmSync(STAMP, { force: true });
  console.log("Building …");
  if ((await runPackage("next/dist/bin/next", ["build"])) !== 0) return false;
  if ((await run(process.execPath, ["deploy/build.mjs"])) !== 0) return false;
  mkdirSync(join(root, "dist"), { recursive: true });
  // `next build` may rewrite tsconfig.json and next-env.d.ts, so the digest is taken again.
  writeFileSync(STAMP, sourcesDigest());
  return true;
}

export async function ensureBuilt() {
  if (!(await buildProduct())) fail("The build failed; its output above says where.");
}
