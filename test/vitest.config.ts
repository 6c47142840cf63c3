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
    // Against what never ends: no test may fail for the speed of its machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
