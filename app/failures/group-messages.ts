/** Brings messages together that differ only in their numbers and ids. Pure. */
import type { IncidentAnswer } from "@/server/domain/answers";

export interface MessageGroup {
  /** The message with `#` for what varies. */
  pattern: string;
  n: number;
  /** The newest of them. */
  example: IncidentAnswer;
}

/** Quoted paths and URLs stay: they often are the message. */
export function normalise(text: string): string {
  return text
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "#")
    .replace(/\b0x[0-9a-f]+\b/gi, "#")
    .replace(/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b/gi, "#")
    .replace(/\d+(?:[.:]\d+)*/g, "#")
    .replace(/\s+/g, " ")
    .trim();
}

/** Most frequent first; `incidents` are newest first. */
export function groupMessages(incidents: readonly IncidentAnswer[]): MessageGroup[] {
  const groups = new Map<string, MessageGroup>();
  for (const incident of incidents) {
    const pattern = normalise(incident.summary);
    const known = groups.get(pattern);
    if (known) known.n += 1;
    else groups.set(pattern, { pattern, n: 1, example: incident });
  }
  return [...groups.values()].sort((a, b) => b.n - a.n);
}
