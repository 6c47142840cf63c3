/** Builds and starts a process of its own that appends segments until it is stopped. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Writer {
  process: ChildProcess;
  /** Segments acknowledged so far. */
  acknowledged(): number;
  until(segments: number): Promise<void>;
  /** Ends it at once, and waits until its last word was read. */
  kill(): Promise<void>;
}

/** The writer program, bundled; in the project, so that it finds the packages. */
export async function buildWriter(): Promise<{ program: string; remove: () => void }> {
  const cache = join(root, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "store-writer-"));
  const program = join(folder, "writer.mjs");
  await build({
    entryPoints: [join(root, "test/store/appending-writer.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    tsconfig: join(root, "tsconfig.json"),
    logLevel: "error",
  });
  return { program, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function startWriter(program: string, dataDir: string, batchId: string): Writer {
  const child = spawn(process.execPath, [program, dataDir, batchId], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let lines = 0;
  let wake = () => {};
  child.stdout?.on("data", (chunk: Buffer) => {
    lines += chunk.toString().split("\n").length - 1;
    wake();
  });
  return {
    process: child,
    acknowledged: () => lines,
    async until(segments) {
      while (lines < segments) {
        if (child.exitCode !== null) throw new Error("The writer ended by itself.");
        await Promise.race([new Promise<void>((resolve) => (wake = resolve)), ended]);
      }
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
