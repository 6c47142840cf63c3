/** The one plain sentence of a run, computed from its numbers, and the lead under it. Pure. */
import type { FamilyCounts } from "@/server/domain/answers";
import { bytesText } from "@/server/domain/quantity";
import type { Rate } from "@/server/domain/rate";
import type { RunScores } from "./run-scores";
import { percent } from "./run-validity";

export interface SentenceInput {
  rollouts: number;
  planned: number | null;
  infraFailed: Rate | null;
  byFamily: FamilyCounts;
  /** Bytes, where all rollouts that ran out of memory had the same limit. */
  oomLimit: number | null;
  missing: number | null;
  notFinished: number | null;
  notScored: number;
  unknown: number;
  passAt1: RunScores["passAt1"];
}

type CountedFamily = keyof FamilyCounts;

/** What a family did to a rollout; the second form is for one rollout. */
const DID: Record<CountedFamily, readonly [many: string, one: string]> = {
  oom: ["ran out of memory", "ran out of memory"],
  disconnect: ["lost their connection", "lost its connection"],
  proxy: ["could not be reached through the proxy", "could not be reached through the proxy"],
  startup: ["never started", "never started"],
  scheduling: ["found no room on the cluster", "found no room on the cluster"],
  node: ["went down with their node", "went down with its node"],
  other: ["failed in other ways", "failed in another way"],
};

export function sentenceOfRun(input: SentenceInput): { sentence: string; lead: string } {
  const rate = input.infraFailed;
  if (rate === null)
    return { sentence: nothingYet(input), lead: "Send its rollout records to see what infrastructure cost." };
  if (rate.k === 0) {
    const subject = rate.n === 1 ? "The one rollout was not lost" : `None of ${rate.n} rollouts was lost`;
    return { sentence: `${subject} to infrastructure (${interval(rate)}).`, lead: leadOf(input, []) };
  }
  const families = ranked(input.byFamily);
  const subject =
    rate.n === 1 ? "The one rollout was" : `${rate.k} of ${rate.n} rollouts ${rate.k === 1 ? "was" : "were"}`;
  const first = `${subject} lost to infrastructure: ${percent(rate.value)} (${interval(rate)}).`;
  return {
    sentence: `${first} ${main(families, rate.k, input.oomLimit)}`.trim(),
    lead: leadOf(input, families.slice(1)),
  };
}

function nothingYet(input: SentenceInput): string {
  if (input.rollouts > 0) {
    return `${input.rollouts} ${input.rollouts === 1 ? "rollout has" : "rollouts have"} arrived, none has a verdict yet.`;
  }
  return input.planned === null
    ? "No rollouts yet."
    : `No rollouts yet: none of the ${input.planned} planned has arrived.`;
}

function ranked(byFamily: FamilyCounts): [CountedFamily, number][] {
  return (Object.entries(byFamily) as [CountedFamily, number][]).filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1]);
}

function main(families: [CountedFamily, number][], lost: number, oomLimit: number | null): string {
  const [top] = families;
  if (!top) return "";
  const [family, n] = top;
  const did =
    DID[family][n === 1 ? 1 : 0] + (family === "oom" && oomLimit !== null ? ` at ${bytesText(oomLimit)}` : "");
  if (n < lost) return `${n} of them ${did}.`;
  return lost === 1 ? `It ${did}.` : `${lost === 2 ? "Both" : "All"} of them ${did}.`;
}

function leadOf(input: SentenceInput, others: [CountedFamily, number][]): string {
  const parts: string[] = [];
  const told = others.slice(0, 2).map(([family, n]) => `${n} ${DID[family][n === 1 ? 1 : 0]}`);
  if (told.length > 0) parts.push(`${told.join(", ")}.`);
  const { bounds, infraExcluded } = input.passAt1;
  if (bounds && infraExcluded && (input.infraFailed?.k ?? 0) > 0) {
    parts.push(
      `Without these failures pass@1 would lie between ${percent(bounds[0])} and ${percent(bounds[1])}; ` +
        `among rollouts that infrastructure left alone it is ${percent(infraExcluded.value)}.`,
    );
  } else if (input.passAt1.asReported) {
    parts.push(`pass@1 is ${percent(input.passAt1.asReported.value)}.`);
  }
  const left = leftOut(input);
  if (left.length > 0) parts.push(`Not in these numbers: ${left.join(", ")}.`);
  return parts.join(" ");
}

function leftOut(input: SentenceInput): string[] {
  const said: string[] = [];
  if (input.missing) said.push(`${input.missing} planned that left no record`);
  if (input.notFinished) said.push(`${input.notFinished} not finished yet`);
  if (input.notScored) said.push(`the score of ${input.notScored} that ended without one`);
  if (input.unknown) said.push(`the cause of ${input.unknown} that no rule explains`);
  return said;
}

/** `9.7–17.1 %` */
function interval(rate: Rate): string {
  return `${(rate.low * 100).toFixed(1)}–${percent(rate.high)}`;
}
