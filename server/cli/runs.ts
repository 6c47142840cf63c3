import type { RunSummary } from "@/server/domain/answers";
import type { Api } from "./api";
import { COMPUTING, computedList } from "./computed";
import { meanPercent, rateText } from "./numbers";
import { EXIT, print, printJson, type Terminal, table } from "./terminal";

/** Lists the runs, newest first. */
export async function runs(api: Api, terminal: Terminal, options: { json?: boolean }): Promise<number> {
  const answer = await computedList<RunSummary>(api, "/runs");
  const { items } = answer;
  if (options.json) printJson(terminal, answer);
  else if (items.length === 0) print(terminal, "No runs yet. Send rollout files: coalmine ingest FILES");
  else print(terminal, runTable(items));
  return EXIT.ok;
}

function runTable(items: RunSummary[]): string {
  const rows = items.map((run) => [
    run.id,
    run.origin === "demo" ? `${run.name} (made up)` : run.name,
    String(run.rollouts),
    rateText(run.infraFailed),
    run.pending && run.passAt1.asReported === null ? COMPUTING : meanPercent(run.passAt1.asReported),
    run.valid.ok ? "yes" : `no: ${run.valid.reason ?? "unknown"}`,
  ]);
  return table(["run", "name", "rollouts", "lost to infrastructure", "pass@1", "valid"], rows, [2]);
}
