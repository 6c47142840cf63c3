/** `npm run bench -- NAME [ARGUMENTS]`: bundles `test/bench/NAME.ts` and runs it. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const [name = "", ...args] = process.argv.slice(2);
const source = join(root, "test", "bench", `${name}.ts`);

if (!/^[\w-]+$/.test(name) || !existsSync(source)) {
  const names = readdirSync(join(root, "test", "bench")).filter((file) => file.endsWith(".ts"));
  process.stderr.write(
    `Usage: npm run bench -- NAME [ARGUMENTS]\nNames: ${names.map((file) => file.slice(0, -3)).join(", ")}\n`,
  );
  process.exit(2);
}
const folder = join(root, "node_modules", ".cache", "coalmine-bench");
mkdirSync(folder, { recursive: true });
const outfile = join(folder, `${name}.mjs`);
await build({
  entryPoints: [source],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  alias: { "@": root },
  logLevel: "error",
});
const child = spawn(process.execPath, [outfile, ...args], { cwd: root, stdio: "inherit" });
child.on("exit", (code) => process.exit(code ?? 1));
