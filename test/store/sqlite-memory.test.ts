import { openStore } from "@/db/open-store";
import { storeConformance } from "./conformance";

storeConformance("SQLite in memory", () => openStore({ dataDir: ":memory:" }));
