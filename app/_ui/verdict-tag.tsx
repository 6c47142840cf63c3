import type { Verdict } from "@/server/domain/taxonomy-words";
import { Tag } from "./tag";
import { VERDICT_NAME } from "./verdicts";

const TONE = { passed: "good", failed: "plain", infra_failed: "bad", not_scored: "warn", missing: "warn" } as const;

export function VerdictTag({ verdict }: { verdict: Verdict }) {
  return <Tag tone={TONE[verdict]}>{VERDICT_NAME[verdict]}</Tag>;
}
