/** Which readers read a delivery: so that what an older version read is known, and can be read again. */
import { createHash } from "node:crypto";
import type { Readers } from "./detect-names";

/** Raised by hand when records are told apart, joined or named otherwise than before. */
const READING = 1;

/** `<number>-<hash of the names of all formats and envelopes, with their editions>`. */
export function readerVersion({ formats, envelopes }: Readers): string {
  const each = [...formats, ...envelopes].map(({ name, edition = 1 }) => `${name} ${edition}`);
  return `${READING}-${createHash("sha256").update(each.join("\n")).digest("hex").slice(0, 12)}`;
}
