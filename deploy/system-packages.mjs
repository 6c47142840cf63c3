/** Programs that some tests drive and npm does not bring: a Chromium, and a uvicorn for its real keep-alive reaper. */
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run } from "./run-step.mjs";

const PROGRAMS = [
  { names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"], package: "chromium", for: "browser tests" },
  { names: ["uvicorn"], package: "python3-uvicorn", for: "keep-alive tests of the canary" },
];

function onPath(name) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin"];
  return folders.some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function missing() {
  return PROGRAMS.filter((program) => !program.names.some(onPath));
}

/** Installs what is missing where that is possible, else says what to install; the tests that need it are then skipped. */
export async function ensureSystemPackages() {
  const wanted = missing().map((program) => program.package);
  if (wanted.length === 0) return;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.log(`Installing ${wanted.join(", ")} from Debian's packages …`);
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    const install = ["install", "-y", "-qq", "--no-install-recommends", ...wanted];
    if ((await run("apt-get", ["update", "-qq"], { env })) === 0) await run("apt-get", install, { env });
  }
  for (const program of missing()) {
    console.log(`No ${program.names[0]} found: ${program.for} are skipped. Install it (Debian: apt-get install ${program.package}).`);
  }
}
