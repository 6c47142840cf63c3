/** Programs that some tests drive and npm does not bring: a Chromium, and a uvicorn for its real keep-alive reaper. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { run } from "./run-step.mjs";

/** Each way to start it is tried: Debian's python3-uvicorn is a module without a program of its own. */
const PROGRAMS = [
  {
    name: "Chromium",
    commands: [["chromium"], ["chromium-browser"], ["google-chrome"], ["google-chrome-stable"], ["/usr/bin/chromium"]],
    package: "chromium",
    for: "browser tests",
  },
  {
    name: "uvicorn",
    commands: [["uvicorn"], ["/usr/bin/python3", "-m", "uvicorn"], ["python3", "-m", "uvicorn"]],
    package: "python3-uvicorn",
    for: "keep-alive tests of the canary",
  },
];

function starts([program, ...args]) {
  return spawnSync(program, [...args, "--version"], { stdio: "ignore" }).status === 0;
}

function missing() {
  return PROGRAMS.filter((program) => !program.commands.some(starts));
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
    console.log(`No ${program.name} found: ${program.for} are skipped. Install it (Debian: apt-get install ${program.package}).`);
  }
}
