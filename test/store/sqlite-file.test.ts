import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openStore } from "@/db/open-store";
import { storeConformance } from "./conformance";

const folder = mkdtempSync(join(tmpdir(), "coalmine-store-"));
let opened = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

storeConformance("a SQLite file", () => openStore({ dataDir: join(folder, String(opened++)) }));
