/** A comparison's tables as CSV. Pure. */
import type { CompareAnswer } from "@/server/compare/answer";
import type { Paired } from "./compare-parsers";
import { shownEstimate } from "./compare-text";

type Cell = string | number | null;

/** Lines end as RFC 4180 says; what a spreadsheet would take for a formula is kept as text. */
export function csvOf(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => `${row.map(cellText).join(",")}\r\n`).join("");
}

function cellText(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Differences are positive where the candidate is better. */
export function metricsCsv(answer: CompareAnswer, paired: Paired): string {
  const head = ["metric", "baseline", "baselineLow", "baselineHigh", "baselineN", "candidate", "candidateLow"];
  const more = ["candidateHigh", "candidateN", "difference", "low", "high", "p", "on", "verdict"];
  const side = (value: CompareAnswer["metrics"][number]["baseline"]): Cell[] =>
    value === null ? [null, null, null, null] : [value.value.value, value.value.low, value.value.high, value.value.n];
  const rows = answer.metrics.map((metric): Cell[] => {
    const shown = shownEstimate(metric, paired);
    const { difference = null, low = null, high = null, p = null } = shown?.estimate ?? {};
    const between = [difference, low, high, p, shown?.on ?? null, metric.verdict];
    return [metric.id, ...side(metric.baseline), ...side(metric.candidate), ...between];
  });
  return csvOf([...head, ...more], rows);
}

export function tasksCsv(tasks: CompareAnswer["tasks"]): string {
  const sides = ["Rollouts", "Passed", "InfraFailed"];
  const head = ["task", ...sides.map((name) => `baseline${name}`), ...sides.map((name) => `candidate${name}`)];
  const rows = tasks.map(({ task, baseline, candidate, change, movement }): Cell[] => [
    task,
    ...[baseline, candidate].flatMap((side) => [side.rollouts, side.passed, side.infraFailed]),
    change,
    movement,
  ]);
  return csvOf([...head, "change", "movement"], rows);
}
