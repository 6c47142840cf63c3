/** The run that a record belongs to by where its file lies in a job's folders, when neither the delivery nor the record says. */
import { runOfName } from "../formats/inspect-eval";

const TRIAL = /__[A-Za-z0-9]{7}$/;
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
/** Names that many producers give to their one file of results: the folder says more. */
const COMMON =
  /^(?:results?|rollouts|outputs?|output\.critic_attempt_\d+|reports?|scores|preds|exit_statuses_[\d.]+|eval_results)(?:_failures|_materialized_inputs)?\.(?:jsonl?|ndjson|ya?ml)(?:\.(?:gz|zst|br))?$/;

/** An archive stands for the folder that was packed. */
const PACKED = /\.(?:zip|tar|tar\.(?:gz|zst)|tgz)$/;

/** Folder names only, from `jobs/exp-7/t1__f3Kq9aZ/result.json`; null when the path has no folder that is a job's. */
export function jobOf(path: string): string | null {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const base = parts.pop() ?? "";
  if (runOfName(path) !== null) return null;
  const trial = parts.findIndex((dir) => TRIAL.test(dir));
  const job =
    trial >= 0 ? parts[trial - 1] : (inNamedFolder(parts, base) ?? besideTrajectory(parts, base) ?? inRun(parts, base));
  return job?.replace(PACKED, "") ?? null;
}

/** `out/exp-7_failures.jsonl.gz` → `exp-7`: the files of one collection belong to one run. */
export function runOf(path: string): string {
  const name = path.split("/").at(-1) ?? "";
  const stem = name.replace(/\.(?:gz|zst|br)$/, "").replace(/\.(?:jsonl|ndjson|json)$/, "");
  return stem.replace(/_(?:failures|materialized_inputs|aggregate_metrics|reward_profiling)$/, "") || name;
}

/** The run of a file in an archive that lies in no job's folder: lines have a run of their own name, documents that of the archive. */
export function runInBundle(bundle: string, path: string): string {
  const lines = /\.(?:jsonl|ndjson)(?:\.(?:gz|zst|br))?$/.test(path);
  return lines ? runOf(path) : runOf(bundle).replace(/\.(?:zip|tar|tgz|eval)$/, "");
}

/** `run_evaluation/<run>/…`, `<run>/rollouts/step_3/train/…`, `<run>/step_3/train/…`, `<run>/episodes/…`. */
function inNamedFolder(dirs: readonly string[], base: string): string | null {
  const evaluation = dirs.indexOf("run_evaluation");
  if (evaluation >= 0) return dirs[evaluation + 1] ?? null;
  const step = dirs.findIndex((dir, i) => /^step_\d+$/.test(dir) && /^(?:train|eval)$/.test(dirs[i + 1] ?? ""));
  if (step > 0) return dirs[step - 1] === "rollouts" ? (dirs[step - 2] ?? null) : (dirs[step - 1] ?? null);
  if (dirs.at(-1) === "episodes" && /^episode_/.test(base)) return dirs.at(-2) ?? null;
  return /\.\d+-of-\d+\./.test(dirs.at(-1) ?? "") ? (dirs.at(-3) ?? null) : null;
}

/** `<run>/<instance>/<instance>.traj.json`. */
function besideTrajectory(dirs: readonly string[], base: string): string | null {
  const instance = /^(.+)\.traj(?:\.json)?$/.exec(base)?.[1];
  if (instance === undefined) return null;
  return (dirs.at(-1) === instance ? dirs.at(-2) : dirs.at(-1)) ?? null;
}

/** A run's one file of results; the folder of a verifiers run is a number, so the one above says what it ran. */
function inRun(dirs: readonly string[], base: string): string | null {
  const folder = dirs.at(-1);
  if (folder === undefined || !(COMMON.test(base) || base === "traces.jsonl")) return null;
  const above = dirs.at(-2);
  return UUID.test(folder) && above !== undefined ? `${above}-${folder.slice(0, 8)}` : folder;
}
