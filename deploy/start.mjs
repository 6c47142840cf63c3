/** Serves the built product until SIGINT or SIGTERM: checks address and port first, says when it answers. */
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, root, start } from "./run-step.mjs";

const STOP_MS = 10_000;
const PARENT_MS = 500;
const GIVE_UP_AFTER = 5;

/** Host and port from the settings; ends the script when one is malformed. */
export function address() {
  const host = process.env.COALMINE_HOST || "127.0.0.1";
  const text = process.env.COALMINE_PORT || "4180";
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) {
    fail(`COALMINE_PORT is "${text}": it must be a whole number from 1 to 65535.`);
  }
  return { host, port };
}

/** Ends the script, naming the setting to change, when the address cannot be listened on. */
export function checkAddress({ host, port }) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error) => {
      if (error.code === "EADDRINUSE") fail(`Port ${port} on ${host} is in use. Set COALMINE_PORT to a free one.`);
      if (error.code === "EACCES") fail(`Port ${port} needs more rights. Set COALMINE_PORT to one above 1023.`);
      fail(`COALMINE_HOST "${host}" cannot be listened on (${error.code}).`);
    });
    probe.listen(port, host, () => probe.close(resolve));
  });
}

/** Says when it answers; one that says `GIVE_UP_AFTER` times that it cannot come up is ended. */
async function announce(url, server, stop) {
  let refused = 0;
  while (server.exitCode === null && server.signalCode === null) {
    const answer = await fetch(`${url}/api/v1/health`).catch(() => null);
    if (answer?.ok) return console.log(`\nCoalmine serves on ${url}\n`);
    if (answer !== null && ++refused >= GIVE_UP_AFTER) {
      const { detail } = await answer.json().catch(() => ({}));
      console.error(`\n${detail ?? `The server answers ${answer.status}.`}`);
      return stop(1);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** npm passes SIGTERM to the shell between us, which ends without a word: that npm is gone is all there is to see. */
function whenParentEnds(stop) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || stop(), PARENT_MS).unref();
}

/** Serves in the foreground; never returns. */
export async function serve({ host, port }) {
  if (!existsSync(join(root, ".next", "BUILD_ID"))) fail("Nothing is built yet: run `npm run up`, which builds and serves.");
  const next = join(root, "node_modules", "next", "dist", "bin", "next");
  const server = start(process.execPath, [next, "start", "-H", host, "-p", String(port)], {
    env: { NODE_ENV: "production", COALMINE_HOST: host, COALMINE_PORT: String(port) },
  });
  let stopping = false;
  let code = 0;
  const stop = (why = 0) => {
    if (stopping) return;
    stopping = true;
    code = why;
    server.kill("SIGTERM");
    setTimeout(() => server.kill("SIGKILL"), STOP_MS).unref();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop());
  whenParentEnds(stop);
  server.once("exit", (own) => {
    if (stopping && code === 0) console.log("Coalmine stopped.");
    process.exit(stopping ? code : (own ?? 1));
  });
  const named = host.includes(":") ? `[${host}]` : host;
  await announce(`http://${host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : named}:${port}`, server, stop);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const at = address();
  await checkAddress(at);
  await serve(at);
}
