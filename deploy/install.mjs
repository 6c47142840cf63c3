/** Installs the dependencies when node_modules does not match the lock file; else does nothing, so that it works offline. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, root, run } from "./run-step.mjs";

function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages ?? {};
  } catch {
    return null;
  }
}

/** npm writes node_modules/.package-lock.json last, so an install that was cut short does not match. */
function matchesLock() {
  const wanted = packagesOf(join(root, "package-lock.json"));
  const present = packagesOf(join(root, "node_modules", ".package-lock.json"));
  if (wanted === null) fail("package-lock.json is missing or broken: check it out again.");
  if (present === null) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const there = present[path];
    // An optional package for another platform is left out by npm.
    if (there === undefined) return entry.optional === true || entry.devOptional === true;
    return there.version === entry.version && existsSync(join(root, path));
  });
}

/** The one native module is compiled for one Node.js; another version on the same folder needs it again. */
function nativeModuleLoads() {
  const probe = "new (require('better-sqlite3'))(':memory:').close()";
  return run(process.execPath, ["-e", probe], { stdio: "ignore" }).then((code) => code === 0);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 9)) {
    fail(`Coalmine needs Node.js 20.9 or newer; this is ${process.versions.node}.`);
  }
}

/** Leaves node_modules as the lock file says, or ends the script with what to do. */
export async function ensureInstalled() {
  checkNode();
  if (!matchesLock()) {
    console.log("Installing dependencies (npm ci) …");
    if ((await run("npm", ["ci", "--no-audit", "--no-fund"])) !== 0) {
      fail("npm ci failed. It needs the npm registry once; later starts work offline.");
    }
  }
  if (await nativeModuleLoads()) return;
  console.log(`Building better-sqlite3 for Node.js ${process.versions.node} …`);
  const code = await run("npm", ["rebuild", "better-sqlite3"]);
  if (code !== 0 || !(await nativeModuleLoads())) {
    fail("better-sqlite3 could not be built. It needs python3, make and g++ (Debian: apt-get install python3 make g++).");
  }
}
