import { readFileSync } from "node:fs";

/** The text of a file under `fixtures/`. */
export const fixture = (name: string): string => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8");
