import { openMemoryStore } from "../support/memory-store";
import { storeConformance } from "./conformance";

storeConformance("plain arrays", openMemoryStore);
