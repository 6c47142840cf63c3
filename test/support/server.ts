import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const STARTS_WITHIN_MS = 120_000;

/** The built product, running on a port of its own with data of its own. */
export interface Product {
  url: string;
  port: number;
  /** Of the start script, which passes signals on. */
  pid: number;
  dataDir: string;
  /** All that it has written to its terminal. */
  output(): string;
  /** Waits for its end. Resolves to the exit code. */
  ended(): Promise<number | null>;
  /** SIGTERM, then waits. Resolves to the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL to it and to all that it started: a power cut, as far as a process can have one. */
  kill(): Promise<void>;
  /** Stops it, and removes the data. */
  remove(): Promise<void>;
}

export interface ProductOptions {
  env?: Record<string, string>;
  /** Data left by an earlier one. */
  dataDir?: string;
  port?: number;
  /** The command that starts it; default the start script itself. */
  by?: string[];
}

/** Below those that the system gives to outgoing connections, so that none of these takes it while it is free. */
const PORTS = { from: 12_000, to: 32_000 };

/** A port that nothing listens on, and that stays free between a stop and the next start. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

export function isBuilt(): boolean {
  return existsSync(join(root, ".next", "BUILD_ID"));
}

/** Starts `deploy/start.mjs` and resolves when it answers. Throws with its output when it does not within two minutes. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  if (!isBuilt()) throw new Error("Nothing is built: `npm run verify` builds before these tests.");
  const port = options.port ?? (await freePort());
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "coalmine-data-"));
  const own = { COALMINE_PORT: String(port), COALMINE_HOST: "127.0.0.1", COALMINE_DATA: dataDir };
  const [program = "", ...args] = options.by ?? [process.execPath, "deploy/start.mjs"];
  const child = spawn(program, args, {
    cwd: root,
    env: { ...withoutSettings(process.env), ...own, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that a kill reaches what it started as well.
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const url = `http://127.0.0.1:${port}`;
  await answers(url, child, () => output);
  return control({ child, url, port, pid: child.pid as number, dataDir, output: () => output });
}

/** The tester's own settings must not reach the product under test. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/^(COALMINE_|VITEST|NODE_ENV$)/.test(name));
  return { ...Object.fromEntries(kept), NODE_ENV: "production" };
}

async function answers(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const until = Date.now() + STARTS_WITHIN_MS;
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`The product ended with ${child.exitCode}:\n${output()}`);
    const answer = await fetch(`${url}/api/v1/health`).catch(() => null);
    if (answer?.ok) return;
    await sleep(100);
  }
  process.kill(-(child.pid as number), "SIGKILL");
  throw new Error(`The product did not answer within two minutes:\n${output()}`);
}

function control(
  running: { child: ChildProcess } & Pick<Product, "url" | "port" | "pid" | "dataDir" | "output">,
): Product {
  const { child, ...product } = running;
  const gone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const ended = async (): Promise<number | null> => {
    if (!gone()) await once(child, "exit");
    return child.exitCode;
  };
  const stop = (): Promise<number | null> => {
    if (!gone()) child.kill("SIGTERM");
    return ended();
  };
  const kill = async (): Promise<void> => {
    if (gone()) return;
    process.kill(-(child.pid as number), "SIGKILL");
    await once(child, "exit");
  };
  const remove = async (): Promise<void> => {
    await stop();
    rmSync(product.dataDir, { recursive: true, force: true });
  };
  return { ...product, ended, stop, kill, remove };
}
