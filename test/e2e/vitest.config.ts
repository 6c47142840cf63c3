import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Tests with a real browser against the built product: one file at a time, since each starts it. */
export default defineConfig({
  root,
  resolve: { alias: { "@/": root } },
  test: {
    include: ["test/e2e/**/*.test.ts"],
    pool: "threads",
    fileParallelism: false,
    // Far above what anything takes: a busy machine is no fault, and what hangs is found all the same.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Each test begins anew, so it can be tried again; `verify` names the one that needed it, and why.
    retry: 1,
    expect: { poll: { timeout: 60_000 } },
  },
});
