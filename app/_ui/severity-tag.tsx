import type { Severity } from "@/server/findings/finding";
import { Tag } from "./tag";

const TONE = { critical: "bad", major: "warn", minor: "plain" } as const;

/** How much a finding matters. */
export function SeverityTag({ severity }: { severity: Severity }) {
  return <Tag tone={TONE[severity]}>{severity}</Tag>;
}
