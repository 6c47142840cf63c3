import { createHash } from "node:crypto";

/** Incident id: hash of its subject and its anchor evidence, so that the same facts always give the same id. */
export function incidentId(subject: string, anchorKey: string): string {
  return createHash("sha256").update(`${subject}\n${anchorKey}`).digest("hex").slice(0, 20);
}
