import type { CompareAnswer, ConfigChange, MetricComparison, MetricValue } from "@/server/compare/answer";
import type { Api } from "./api";
import { COMPUTING, computed } from "./computed";
import { EXIT, print, printJson, type Terminal, table } from "./terminal";

export interface CompareOptions {
  paired?: boolean;
  unpaired?: boolean;
  json?: boolean;
}

const VERDICT: Record<MetricComparison["verdict"], string> = {
  better: "better",
  worse: "worse",
  no_clear_change: "no clear change",
  too_little_data: "too little data",
};

/** Compares a baseline run with a candidate. */
export async function compare(
  api: Api,
  terminal: Terminal,
  baseline: string,
  candidate: string,
  options: CompareOptions,
): Promise<number> {
  const paired = options.paired ? "paired" : options.unpaired ? "unpaired" : undefined;
  const answer = await computed<CompareAnswer>(api, "/compare", { baseline, candidate, paired });
  if (options.json) printJson(terminal, answer);
  else print(terminal, compareText(answer));
  return EXIT.ok;
}

function compareText(answer: CompareAnswer): string {
  const parts = [answer.sentence, metricTable(answer), configText(answer), ...answer.notes];
  return parts.filter((part) => part !== "").join("\n\n");
}

function metricTable({ metrics, baseline, candidate, pending }: CompareAnswer): string {
  const nothing = pending ? COMPUTING : "–";
  const rows = metrics.map((metric) => {
    const estimate = metric.decidedBy === "paired" ? metric.paired : metric.unpaired;
    return [
      metric.title,
      valueText(metric, metric.baseline),
      valueText(metric, metric.candidate),
      estimate === null ? nothing : differenceText(metric, estimate),
      estimate?.p == null ? "–" : estimate.p.toPrecision(2),
      metric.decidedBy,
      pending && estimate === null ? COMPUTING : VERDICT[metric.verdict],
    ];
  });
  return table(["metric", baseline.name, candidate.name, "better by (95 %)", "p", "decided on", "verdict"], rows, [4]);
}

/** Rates and pass@1 in per cent, rewards in their own unit. */
function isReward({ id }: MetricComparison): boolean {
  return id.startsWith("meanReward");
}

function valueText(metric: MetricComparison, given: MetricValue | null): string {
  if (given === null) return "–";
  const { value } = given;
  if (isReward(metric)) return value.value.toFixed(3);
  const share = `${(value.value * 100).toFixed(1)} %`;
  return "k" in value ? `${share} (${value.k}/${value.n})` : share;
}

function differenceText(
  metric: MetricComparison,
  { difference, low, high }: { difference: number; low: number | null; high: number | null },
): string {
  const write = (x: number): string => {
    const text = isReward(metric) ? x.toFixed(3) : (x * 100).toFixed(1);
    return x > 0 ? `+${text}` : text;
  };
  return low === null || high === null ? write(difference) : `${write(difference)} (${write(low)} to ${write(high)})`;
}

function configText({ config }: CompareAnswer): string {
  const differing = config.changes.filter((change) => config.differing.includes(change.key));
  if (differing.length === 0) return "";
  return table(
    ["setting", "baseline", "candidate"],
    differing.map((change) => [change.key, sideText(change.baseline), sideText(change.candidate)]),
  );
}

function sideText(side: ConfigChange["baseline"]): string {
  if (side.varying) return side.varying.map(({ value, n }) => `${String(value)} (${n})`).join(", ");
  if (!side.silent) return `${String(side.requested)}${side.overridden ? `, set to ${String(side.effective)}` : ""}`;
  if (side.effective !== null) return `${String(side.effective)} (set by Kubernetes)`;
  return side.defaultValue === null ? "not set" : `${String(side.defaultValue)} (by default)`;
}
