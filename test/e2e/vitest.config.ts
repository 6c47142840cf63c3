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
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A key pressed before a busy machine has hydrated the page is lost.
    retry: 2,
    expect: { poll: { timeout: 20_000 } },
  },
});
