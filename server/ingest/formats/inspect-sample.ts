/** One sample of an inspect_ai log: its score, the error that ended it, errors that were retried, a limit, a sandbox that was away. */
import type { Evidence } from "@/server/domain/evidence";
import type { FlatConfig } from "@/server/domain/rollout";
import type { FormatContext, Payload, Sink } from "../format";
import { blankRollout, HONEST_ZERO } from "./blank-rollout";
import { flatten } from "./gym-config";
import { sandboxIn } from "./ids-in-text";
import { countOf, isObject, type JsonObject, numberOf, objectAt, objectsOf, textOf, typeWord } from "./json-fields";
import { errorWords, recordError, rejectRecord } from "./record-error";
import { timeOf } from "./times";

/** The `repr` of a cancellation: a sibling failed, or the log is about to be retried. */
const CANCELLED = /^Cancelled(?:Error)?\(/;
const LETTERS: Record<string, number> = { C: 1, P: 0.5, I: 0, N: 0 };

interface Place {
  context: FormatContext;
  run: string | null;
}

export function readSample(sample: JsonObject, payload: Payload, sink: Sink, { context, run }: Place): void {
  const id = textOf(sample, "id") ?? numberOf(sample, "id")?.toString();
  const epoch = countOf(sample, "epoch");
  if (id === undefined || epoch === undefined) {
    const [name, value] = epoch === undefined ? ["epoch", sample.epoch] : ["id", sample.id];
    rejectRecord(payload, sink, `${name} must be ${name === "id" ? "a string" : "an integer"}, got ${typeWord(value)}`);
    return;
  }
  const clock = { tz: context.params.tz, receivedAt: context.receivedAt };
  const startedAt = timeOf(sample.started_at, clock)?.at ?? null;
  const error = objectAt(sample, "error");
  const cancelled = CANCELLED.test(textOf(error, "message") ?? "");
  const invalidated = isObject(sample.invalidation);
  const reward = invalidated ? null : rewardOf(sample);
  const evidence = evidenceOf(sample, cancelled ? undefined : error);
  const ended = evidence.some((one) => one.kind === "error");
  const told = sandboxIn(evidence.map((one) => one.message ?? "").join("\n"));
  sink.rollout(payload, {
    ...blankRollout(id),
    index: Math.max(0, epoch - 1),
    // A retry's log tells its sample again: the one that began later is the later attempt, whichever log comes first.
    attempt: startedAt === null ? 0 : Math.floor(startedAt / 1000),
    run,
    startedAt,
    endedAt: timeOf(sample.completed_at, clock)?.at ?? null,
    reward,
    masked: invalidated ? true : null,
    scored: reward !== null,
    sandboxes: told ? [told] : [],
    error: errorWords(evidence),
    config: configOf(sample),
    evidence: !ended && reward !== null && reward <= 0 ? [...evidence, ...HONEST_ZERO] : evidence,
  });
}

/** The first score: a number, a boolean, or one of inspect's letters; NaN is unscored. */
function rewardOf(sample: JsonObject): number | null {
  const first = Object.values(objectAt(sample, "scores") ?? {}).find(isObject)?.value;
  const value = isObject(first) ? Object.values(first)[0] : first;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string") return LETTERS[value] ?? null;
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function evidenceOf(sample: JsonObject, error: JsonObject | undefined): Evidence[] {
  const retried = objectsOf(sample, "error_retries")
    .filter((one) => !CANCELLED.test(textOf(one, "message") ?? ""))
    .map((one) => recordError(textOf(one, "message"), textOf(one, "traceback"), { kind: "retry" }));
  const found = error ? recordError(textOf(error, "message"), textOf(error, "traceback")) : null;
  const limit = textOf(objectAt(sample, "limit"), "type");
  const halted = limit && !found ? recordError(undefined, undefined, { producerClass: `${limit}_limit` }) : null;
  return [...(found ? [found] : []), ...(halted ? [halted] : []), ...retried, ...unavailable(sample)];
}

/** Tool calls that found no sandbox: inspect's own typed error, never what a tool printed. One that a later call got over is a retry. */
function unavailable(sample: JsonObject): Evidence[] {
  const calls = objectsOf(sample, "events").filter((event) => event.event === "tool");
  const away = (call: JsonObject | undefined) => objectAt(call, "error")?.type === "sandbox_unavailable";
  const last = calls.findLastIndex(away);
  if (last < 0) return [];
  const wentOn = calls.slice(last + 1).some((call) => !isObject(call.error));
  const message = textOf(objectAt(calls[last], "error"), "message");
  return [
    recordError(message, undefined, {
      kind: wentOn ? "retry" : "error",
      phase: "exec",
      producerClass: "sandbox_unavailable",
    }),
  ];
}

function configOf(sample: JsonObject): FlatConfig {
  const config: FlatConfig = {};
  const type =
    textOf(objectAt(sample, "sandbox"), "type") ?? (Array.isArray(sample.sandbox) ? sample.sandbox[0] : undefined);
  if (typeof type === "string") flatten(config, "sandbox.type", type, 0);
  return config;
}
