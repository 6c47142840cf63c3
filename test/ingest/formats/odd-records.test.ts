import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Format } from "@/server/ingest/format";
import { agentTrajectory } from "@/server/ingest/formats/agent-trajectory";
import { harbor } from "@/server/ingest/formats/harbor";
import { inspectEval } from "@/server/ingest/formats/inspect-eval";
import { miniSweBatch } from "@/server/ingest/formats/mini-swe-batch";
import { openhands } from "@/server/ingest/formats/openhands";
import { rllm } from "@/server/ingest/formats/rllm";
import { skyrl } from "@/server/ingest/formats/skyrl";
import { sweBench } from "@/server/ingest/formats/swe-bench";
import { terminalBench } from "@/server/ingest/formats/terminal-bench";
import { verifiers } from "@/server/ingest/formats/verifiers";
import { verl } from "@/server/ingest/formats/verl";
import { contextWith, payloadOf, RecordingSink } from "../../support/recording-sink";
import { fixture } from "./fixture";

const WHOLE: [Format, string][] = [
  [agentTrajectory, "agent-trajectory/mini.traj.json"],
  [inspectEval, "inspect-eval/log.json"],
  [inspectEval, "inspect-eval/retried-sample.json"],
  [miniSweBatch, "mini-swe-batch/preds.json"],
  [rllm, "rllm/results.json"],
  [rllm, "rllm/episode-lost.json"],
  [skyrl, "skyrl/no-judge.json"],
  [sweBench, "swe-bench/run.json"],
  [terminalBench, "terminal-bench/run.json"],
];
const LINES: [Format, string][] = [
  [harbor, "harbor/results.jsonl"],
  [openhands, "openhands/output.critic_attempt_2.jsonl"],
  [verifiers, "verifiers/traces.jsonl"],
  [verifiers, "verifiers/results.jsonl"],
  [verl, "verl/12.jsonl"],
];
const RECORDS = [
  ...WHOLE.map(([format, name]) => [format, name, fixture(name)] as const),
  ...LINES.flatMap(([format, name]) =>
    fixture(name)
      .trimEnd()
      .split("\n")
      .map((line, i) => [format, `${name}:${i + 1}`, line] as const),
  ),
];

/** Every place in a value, as a path. */
function places(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...path, key]))];
}

function put(value: unknown, path: (string | number)[], odd: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return odd;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[key] = put(copy[key], rest, odd);
  return copy;
}

const readable = (value: unknown) => value === null || (typeof value === "number" && Number.isFinite(value));

describe("a record with anything at all in one of its fields", () => {
  test.each(RECORDS.map(([format, name, text]) => ({ format, name, text })))(
    "in $name is read or rejected, never half",
    ({ format, text }) => {
      const record: unknown = JSON.parse(text);
      const all = places(record).slice(1);
      fc.assert(
        fc.property(fc.nat(all.length - 1), fc.jsonValue({ maxDepth: 2 }), (at, odd) => {
          const payload = payloadOf(JSON.stringify(put(record, all[at] ?? [], odd)));
          if (!format.accepts(payload)) return;
          const sink = new RecordingSink();
          format.read(payload, sink, { ...contextWith(), name: "a/b.json" });
          for (const one of sink.rollouts) {
            expect(typeof one.task === "string" && one.task !== "").toBe(true);
            expect([one.reward, one.startedAt, one.endedAt].every(readable)).toBe(true);
            expect(one.index === null || Number.isInteger(one.index)).toBe(true);
            expect(Number.isInteger(one.attempt) && one.attempt >= 0).toBe(true);
            expect(one.sandboxes.every((id) => typeof id === "string")).toBe(true);
          }
        }),
        { numRuns: 150 },
      );
    },
  );
});
