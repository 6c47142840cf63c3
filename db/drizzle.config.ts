import { defineConfig } from "drizzle-kit";

/** `npx drizzle-kit generate --config db/drizzle.config.ts` writes the next migration from the schema. */
export default defineConfig({
  dialect: "sqlite",
  schema: [
    "./db/sqlite/schema.ts",
    "./db/sqlite/schema-archive.ts",
    "./db/sqlite/schema-derived.ts",
    "./db/sqlite/schema-pieces.ts",
    "./db/sqlite/schema-rollups.ts",
  ],
  out: "./db/sqlite/migrations",
});
