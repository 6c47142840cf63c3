/** Where a finding's evidence is shown, and how its change and its check are typed. Pure. */
import type { ClassCount } from "@/server/domain/answers";
import type { Family } from "@/server/domain/taxonomy-words";
import type { CanaryCheck, EvidenceLink, Finding } from "@/server/findings/finding";

/** The page that shows what a call answers; null for a call that no page shows. */
export function pageOf({ path, query }: EvidenceLink): string | null {
  const search = new URLSearchParams(query).toString();
  const at = (page: string, part: string) => `${page}${search === "" ? "" : `?${search}`}${part}`;
  const rollouts = /^(\/runs\/[^/]+)\/rollouts$/.exec(path);
  if (rollouts?.[1]) return at(rollouts[1], "#rollouts");
  if (path === "/incidents") return at("/failures", "#incidents");
  if (/^\/runs\/[^/]+$/.test(path)) return at(path, "#config");
  return /^\/nodes(\/[^/]+)?$/.test(path) ? at(path, "") : null;
}

/** The family that a finding is about: that of the classes its evidence names, where they share one. */
export function familyOfFinding(finding: Finding, classes: readonly ClassCount[]): Family | null {
  const named = finding.evidence.flatMap(({ query }) => query.class?.split(",") ?? []);
  const families = new Set(classes.filter((one) => named.includes(one.class ?? "")).map((one) => one.family));
  families.delete(null);
  return families.size === 1 ? ([...families][0] ?? null) : null;
}

/** What to paste: the new lines alone. */
export function newLines(change: NonNullable<Finding["change"]>): string {
  return change.lines
    .filter((line) => line.op === "+")
    .map((line) => line.text)
    .join("\n");
}

/** The command that runs a check; the target's name is the reader's to fill in. */
export function checkCommand({ plan, options }: CanaryCheck, target = "TARGET"): string {
  const set = Object.entries(options).map(([name, value]) => ` --set ${quoted(`${name}=${optionText(value)}`)}`);
  return `coalmine canary ${plan} --target ${target}${set.join("")}`;
}

function optionText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** `23–27`; one number where both ends round to it. */
export function rangeText(low: number, high: number, digits = 0): string {
  const [from, to] = [low.toFixed(digits), high.toFixed(digits)];
  return from === to ? from : `${from}–${to}`;
}

/** `5 findings: 4 cost rollouts, 1 may` */
export function findingsNote(findings: readonly Finding[]): string {
  const cost = findings.filter((one) => one.rolloutsAffected > 0).length;
  const may = findings.length - cost;
  const parts = [cost > 0 ? `${cost} cost rollouts` : "", may > 0 ? `${may} may yet` : ""].filter(Boolean);
  return `${findings.length} ${findings.length === 1 ? "finding" : "findings"}: ${parts.join(", ")}`;
}
