import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Store } from "@/server/domain/store";
import { everything, openMemory, send } from "../support/deliveries";

/** Cases whose records carry a time: order, splits between records and repetition must change nothing. */
const TIMED = [
  "001-opensandbox-keepalive-python.log",
  "002-gym-rollouts-and-failures.jsonl",
  "004-proxy-error-bodies-old-and-new.jsonl",
  "007-exit-137-not-oom.jsonl",
  "008-execd-zap-sampled.jsonl",
  "010-batchsandbox-ready-lag.jsonl",
  "043-fluentbit-duplicates.jsonl",
  "047-gym-absorbed-vs-fatal.log",
];

/** A record starts at a line with a date or a brace; what follows until the next is part of it (tracebacks). */
function recordsOf(name: string): string[] {
  const text = readFileSync(new URL(name, import.meta.url), "utf8");
  return text.split(/^(?=\d{4}-\d\d-\d\d |\{)/m).map((record) => (record.endsWith("\n") ? record : `${record}\n`));
}

/** What users see of it: incidents and verdicts without the ids that name evidence. */
async function pictureOf(store: Store): Promise<unknown> {
  const incidents = await everything((page) => store.listIncidents({}, page));
  const rollouts = await everything((page) => store.listRollouts({ effectiveOnly: false }, page));
  return {
    incidents: incidents
      .map((i) => [
        i.subject.id,
        i.class,
        i.outcome,
        i.node,
        i.run,
        i.firstAt,
        i.lastAt,
        i.attempts,
        i.atLeast,
        i.evidence,
        i.symptoms.join(),
      ])
      .map((row) => JSON.stringify(row))
      .sort(),
    rollouts: rollouts
      .map((r) => JSON.stringify([r.task, r.index, r.attempt, r.verdict, r.effective, r.class, r.node]))
      .sort(),
  };
}

async function pictureAfter(deliveries: string[]): Promise<unknown> {
  const store = await openMemory();
  for (const body of deliveries) await send(store, Buffer.from(body), { run: "case", source: "same" });
  const picture = await pictureOf(store);
  await store.close();
  return picture;
}

test.each(TIMED)("%s: order, repetition and splits between records change nothing", async (name) => {
  const records = recordsOf(name);
  const plain = await pictureAfter([records.join("")]);
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(records, { minLength: records.length }),
      fc.nat(records.length),
      fc.boolean(),
      fc.boolean(),
      async (mixed, cut, swap, repeat) => {
        const parts = [mixed.slice(0, cut).join(""), mixed.slice(cut).join("")].filter((part) => part !== "");
        if (swap) parts.reverse();
        expect(await pictureAfter(repeat ? [...parts, records.join("")] : parts)).toEqual(plain);
      },
    ),
    { numRuns: 12, seed: 7 },
  );
});

const POD_UID = "26d84623-b551-4366-b3f6-8f41513e23fd";
const SANDBOX = "3bb5e97e-ef85-46fd-adba-1a232f42f4e0";

/** The exec daemon's line as a collector without label metadata sends it, 9 s before the pod of case 005 was OOM-killed. */
const LOG = `${JSON.stringify({
  date: Date.parse("2026-10-02T08:14:00Z") / 1000,
  stream: "stdout",
  log: '{"level":"error","ts":"2026-10-02T08:14:00.000Z","msg":"StreamEvent.OnExecuteStdout: client disconnected"}',
  kubernetes: {
    pod_name: "sbx-a-0",
    namespace_name: "sandboxes",
    pod_id: POD_UID,
    host: "node-11",
    container_name: "sandbox",
  },
})}\n`;

test("pods after logs give the same as logs after pods: the cut stream is a symptom of the kill, on the sandbox", async () => {
  const pods = readFileSync(new URL("005-kubectl-pods-137-and-oom.json", import.meta.url), "utf8");
  const first = await pictureAfter([pods, LOG]);
  expect(await pictureAfter([LOG, pods])).toEqual(first);
  expect(JSON.stringify(first)).toContain(`\\"${SANDBOX}\\",\\"pod.oom_killed\\"`);
  expect(JSON.stringify(first)).not.toContain('\\"transport.client_left\\",\\"unknown\\"');
});
