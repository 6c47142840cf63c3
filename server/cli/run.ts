import type { RunSummary } from "@/server/domain/answers";
import { FAMILIES } from "@/server/domain/taxonomy-words";
import type { Api } from "./api";
import { COMPUTING, computed } from "./computed";
import { meanPercent, meanText, rateText } from "./numbers";
import { EXIT, print, printJson, type Terminal, table } from "./terminal";

/** Shows one run. */
export async function run(api: Api, terminal: Terminal, name: string, options: { json?: boolean }): Promise<number> {
  const summary = await computed<RunSummary>(api, `/runs/${encodeURIComponent(name)}`);
  if (options.json) printJson(terminal, summary);
  else print(terminal, runText(summary));
  return EXIT.ok;
}

function runText(summary: RunSummary): string {
  const families = FAMILIES.flatMap((family) => {
    const n = family === "none" ? 0 : summary.byFamily[family];
    return n > 0 ? [`${family} ${n}`] : [];
  });
  const waited = summary.pending && summary.passAt1.asReported === null ? COMPUTING : null;
  const rows = [
    ["rollouts", `${summary.rollouts}${summary.planned === null ? "" : ` of ${summary.planned} planned`}`],
    ["lost to infrastructure", rateText(summary.infraFailed)],
    ["by family", families.join(", ") || "–"],
    ["got over by a retry", String(summary.absorbed)],
    [
      "pass@1",
      waited ??
        `${meanPercent(summary.passAt1.asReported)} → ${meanPercent(summary.passAt1.infraExcluded)} without the lost`,
    ],
    [
      "mean reward",
      waited ??
        `${meanText(summary.meanReward.asReported)} → ${meanText(summary.meanReward.infraExcluded)} without the lost`,
    ],
    ["suspect nodes", summary.suspectNodes.join(", ") || (summary.pending ? COMPUTING : "none")],
    ["valid measurement", summary.valid.ok ? "yes" : `no: ${summary.valid.reason ?? "unknown"}`],
  ];
  const made = summary.origin === "demo" ? ["Made-up demo data.", ""] : [];
  return [...made, summary.sentence, "", table(["run", summary.name], rows)].join("\n");
}
