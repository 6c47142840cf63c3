/** An episode's rollouts: sandbox, resources, times, rewards and typed errors of each of its traces. Messages are never read. */
import type { Evidence } from "@/server/domain/evidence";
import type { FlatConfig } from "@/server/domain/rollout";
import type { SeenRollout } from "../format";
import { blankRollout, HONEST_ZERO } from "./blank-rollout";
import { indexOfName } from "./file-names";
import { flatten } from "./gym-config";
import { booleanOf, isObject, type JsonObject, numberOf, objectAt, objectsOf, textOf } from "./json-fields";
import { errorWords, recordError } from "./record-error";
import { epochMs } from "./times";

const LIMIT = /^(?:max_(?:turns|input_tokens|output_tokens|total_tokens)|context_length)$/;

export function rolloutsOfEpisode(episode: JsonObject): SeenRollout[] {
  const run = objectAt(episode, "run");
  const own = { run: textOf(run, "name", "id") ?? null };
  const task = objectAt(episode, "task");
  const traces = objectsOf(episode, "traces");
  if (traces.length > 0) return traces.map((trace) => ({ ...rolloutOf(trace, task), ...own }));
  const evidence = errorsOf(objectsOf(episode, "errors"), false);
  const missing: Evidence[] =
    evidence.length > 0 ? evidence : [recordError(undefined, undefined, { producerClass: "EmptyEpisode" })];
  const blank = blankRollout(taskOf(task));
  return [
    {
      ...blank,
      ...own,
      index: indexOfName(textOf(episode, "id") ?? blank.task),
      error: errorWords(missing),
      evidence: missing,
    },
  ];
}

function rolloutOf(trace: JsonObject, fallback: JsonObject | undefined): SeenRollout {
  const runtime = objectAt(trace, "agent", "runtime");
  const sandbox = textOf(runtime, "id");
  const timing = objectAt(trace, "timing");
  const ok = booleanOf(trace, "ok") ?? true;
  const reward = rewardOf(trace);
  const evidence = evidenceOf(trace, ok);
  const blank = blankRollout(taskOf(objectAt(trace, "task") ?? fallback));
  return {
    ...blank,
    index: indexOfName(textOf(trace, "id") ?? blank.task),
    agent: textOf(objectAt(trace, "agent"), "name") ?? null,
    startedAt: epochMs(numberOf(timing, "start") ?? 0),
    endedAt: endOf(timing),
    reward,
    scored: reward !== null,
    sandboxes: sandbox ? [sandbox] : [],
    error: errorWords(evidence),
    config: configOf(runtime),
    evidence:
      ok && reward !== null && reward <= 0 && errorWords(evidence) === null ? [...evidence, ...HONEST_ZERO] : evidence,
  };
}

/** A task's own name; its content hash only where it has no other. */
function taskOf(task: JsonObject | undefined): string {
  const data = objectAt(task, "data");
  const key = textOf(task, "key");
  const named =
    textOf(data, "name", "instance_id", "task_id", "id") ?? (key === textOf(task, "hash") ? undefined : key);
  return named ?? numberOf(data, "idx")?.toString() ?? key ?? "unnamed";
}

/** The weighted sum; null when scoring did not run. */
function rewardOf(trace: JsonObject): number | null {
  const scored = Object.values(objectAt(trace, "rewards") ?? {}).filter(isObject);
  if (scored.length === 0) return null;
  const sum = scored.reduce((all, one) => all + (numberOf(one, "score") ?? 0) * (numberOf(one, "weight") ?? 1), 0);
  // Numbers that are finite alone may not be together.
  return Number.isFinite(sum) ? sum : null;
}

/** Errors gather over the attempts at a trace: of one that is ok all were got over, of another the last decides. */
function evidenceOf(trace: JsonObject, ok: boolean): Evidence[] {
  const errors = errorsOf(objectsOf(trace, "errors"), ok);
  const stop = textOf(trace, "stop_condition");
  const halted = stop && LIMIT.test(stop) ? [recordError(undefined, undefined, { producerClass: stop })] : [];
  if (!ok && errors.length === 0 && halted.length === 0)
    return [recordError(undefined, undefined, { producerClass: stop ?? "error" })];
  return [...(ok ? halted : []), ...errors];
}

/** The error that decided first, then those that were tried again. */
function errorsOf(errors: readonly JsonObject[], ok: boolean): Evidence[] {
  return errors
    .map((error, i) => {
      const type = textOf(error, "type");
      const status = numberOf(error, "status_code");
      const decided = !ok && i === errors.length - 1;
      const read = recordError(textOf(error, "message"), textOf(error, "traceback"), decided ? {} : { kind: "retry" });
      const evidence: Evidence = status === undefined ? read : { ...read, status };
      if (!type) return evidence;
      const errorChain = [...new Set([...(evidence.errorChain ?? []), type])];
      return { ...evidence, errorType: evidence.errorType ?? type, errorChain, producerClass: type };
    })
    .reverse();
}

function endOf(timing: JsonObject | undefined): number | null {
  const ends = ["scoring", "finalize", "agent", "setup", "boot"].map(
    (span) => numberOf(objectAt(timing, span), "end") ?? 0,
  );
  return epochMs(Math.max(0, ...ends));
}

/** Kind, image and resources of the box; its id and name would make each rollout a config of its own. */
function configOf(runtime: JsonObject | undefined): FlatConfig {
  const config: FlatConfig = {};
  for (const [name, value] of Object.entries(runtime ?? {})) {
    if (/^(?:type|image|cpu|memory|disk|gpu|region|timeout|vm|image_cached|borrowed)(?:_\w+)?$/.test(name))
      flatten(config, `runtime.${name}`, value, 0);
  }
  return config;
}
