import { join } from "node:path";

/** Where a seeded store of so many rollouts lives unless a folder is named. */
export function seedFolder(rollouts: number): string {
  return join(process.cwd(), "node_modules", ".cache", "coalmine-bench", `seed-${rollouts}`);
}
