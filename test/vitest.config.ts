import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));

export default defineConfig({
  root,
  resolve: { alias: { "@/": root } },
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    exclude: ["test/e2e/**", "node_modules/**"],
    pool: "threads",
    maxWorkers: 2,
    // The product is loaded once per thread, not once per file: no file may leave anything behind in a module.
    isolate: false,
    testTimeout: 30_000,
  },
});
