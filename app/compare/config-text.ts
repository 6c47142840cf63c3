/** What each run had for a setting, in words. Pure. */
import { bytes } from "@/app/_ui/format";
import type { ConfigChange, ConfigDiff, ConfigSide } from "@/server/compare/answer";
import type { ConfigValue } from "@/server/domain/rollout";

export type Mark = "confound" | "the change" | "silent default" | "overridden" | "no matter";

/** Whether a difference stands alone or confounds, and what nobody asked for. */
export function marksOf(change: ConfigChange, diff: ConfigDiff): Mark[] {
  const marks: Mark[] = [];
  if (diff.differing.includes(change.key)) marks.push(diff.confounded ? "confound" : "the change");
  else if (change.differs && !change.matters) marks.push("no matter");
  const sides = [change.baseline, change.candidate];
  if (sides.some((side) => side.silent && side.defaultValue !== null)) marks.push("silent default");
  if (sides.some((side) => side.overridden)) marks.push("overridden");
  return marks;
}

/** What was asked for; with several values each with its rollouts. */
export function requestedText(key: string, side: ConfigSide): string {
  if (side.varying !== null) return side.varying.map(({ value, n }) => `${valueText(key, value)} ×${n}`).join(", ");
  if (!side.silent) return valueText(key, side.requested);
  return side.defaultValue === null ? "not set" : `not set, ${valueText(key, side.defaultValue)} by default`;
}

/** What Kubernetes set, where it says more than what was asked for. */
export function effectiveText(key: string, side: ConfigSide): string | null {
  if (side.effective === null || (!side.overridden && !side.silent)) return null;
  return `set: ${effectiveValue(key, side.effective)}`;
}

/** Kubernetes says memory in bytes, whatever unit the setting has. */
function effectiveValue(key: string, value: ConfigValue): string {
  return /memory/i.test(key) && typeof value === "number" ? bytes(value) : valueText(key, value);
}

function valueText(key: string, value: ConfigValue): string {
  if (value === null) return "null";
  return /^memory(Limit|Request)$/.test(key) && typeof value === "number" ? bytes(value) : String(value);
}
