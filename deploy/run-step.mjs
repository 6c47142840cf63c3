/** Runs one command of the project, its output passed through; shared by the scripts in this folder. */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Nothing that we start may call home, nor ask a question that no one answers. */
const quiet = {
  NEXT_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
  npm_config_update_notifier: "false",
  npm_config_fund: "false",
  npm_config_audit: "false",
};

/** Starts `command`; the caller waits for it. */
export function start(command, args, options = {}) {
  return spawn(command, args, { cwd: root, stdio: "inherit", ...options, env: { ...process.env, ...quiet, ...options.env } });
}

/** Runs `command` to its end. Resolves to its exit code; 127 when it does not exist, 128 when a signal ended it. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = start(command, args, options);
    child.once("error", () => resolve(127));
    child.once("exit", (code) => resolve(code ?? 128));
  });
}

/** Runs a program that a dependency brings, with this Node.js: `bin` is its path under node_modules. */
export function runPackage(bin, args, options = {}) {
  return run(process.execPath, [join(root, "node_modules", bin), ...args], options);
}

/** Ends the script with a sentence for the user, not a stack. */
export function fail(message) {
  console.error(`\n${message}`);
  process.exit(1);
}
