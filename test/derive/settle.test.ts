import { expect, test } from "vitest";
import { queueRun, settleAll } from "@/server/derive/settle";
import { everything, openMemory, picture, send } from "../support/deliveries";
import { fleetLines } from "../support/fleet-lines";

const pod = JSON.stringify({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "sbx-1-0",
    namespace: "sandboxes",
    uid: "11111111-1111-4111-8111-111111111111",
    labels: { "opensandbox.io/id": "s-1", "nemo-gym.nvidia.com/run": "worker-7", instance_id: "django__django-1" },
    creationTimestamp: "2026-10-02T08:00:00Z",
  },
  spec: { nodeName: "node-11", containers: [{ name: "sandbox", resources: { limits: { memory: "2Gi" } } }] },
  status: {
    phase: "Failed",
    podIP: "10.42.1.5",
    containerStatuses: [
      {
        name: "sandbox",
        restartCount: 0,
        state: {
          terminated: {
            exitCode: 137,
            reason: "OOMKilled",
            startedAt: "2026-10-02T08:00:20Z",
            finishedAt: "2026-10-02T08:14:09Z",
          },
        },
      },
    ],
  },
});

const row = JSON.stringify({
  instance_id: "django__django-1",
  reward: 0,
  _ng_task_index: 0,
  _ng_rollout_index: 0,
  agent_ref: { name: "mini_swe_agent_2" },
  response: {
    id: "resp_1",
    created_at: Date.parse("2026-10-02T08:14:00Z") / 1000,
    output: [{ type: "message" }],
    error: null,
  },
  metadata: { instance_id: "django__django-1", model_patch: "x", eval_report: {} },
});

const brief = async (store: Awaited<ReturnType<typeof openMemory>>) =>
  (await everything((page) => store.listRollouts({}, page))).map((r) => [r.verdict, r.class, r.node, r.sandbox]);

test("a rollout without a sandbox id joins its pod by instance label and time once its run's labels are one run", async () => {
  const store = await openMemory();
  await send(store, Buffer.from(row), { run: "eval-1" });
  await send(store, Buffer.from(pod));
  expect(await brief(store)).toEqual([["failed", "task.failed", null, null]]);
  await store.putRunSettings({
    id: "eval-1",
    name: null,
    planned: null,
    config: {},
    notes: null,
    labels: {},
    aliases: ["worker-7"],
    passAt: 1,
    endedAt: null,
    updatedAt: 0,
  });
  await queueRun(store, ["eval-1"]);
  await settleAll(store);
  expect(await brief(store)).toEqual([["infra_failed", "pod.oom_killed", "node-11", "s-1"]]);
  await store.close();
});

/** The lines fifty a second. */
function inSeconds(line: string, i: number): string {
  const record = JSON.parse(line) as { date: number; log: string };
  const at = Math.floor(record.date - i + i / 50);
  const log = { ...(JSON.parse(record.log) as object), ts: new Date(at * 1000).toISOString() };
  return `${JSON.stringify({ ...record, date: at, log: JSON.stringify(log) })}\n`;
}

test("what is queued gives the same incidents in rounds of any size", async () => {
  // In a few seconds: five sandboxes and more of each node fail alike, so that there are shared faults as well.
  const crowd = fleetLines(1400, 200).map(inSeconds).join("");
  const whole = await openMemory();
  await send(whole, crowd);
  const expected = await picture(whole);
  expect((await whole.listIncidents({}, { limit: 100, cursor: null })).items.map((one) => one.subject.kind)).toContain(
    "shared",
  );
  for (const most of [3, 40]) {
    const store = await openMemory();
    const asked: number[] = [];
    const unsettled = (limit: number) => {
      asked.push(limit);
      return store.unsettled(Math.min(limit, most));
    };
    await send({ ...store, unsettled }, crowd);
    expect(asked.length).toBeGreaterThan(200 / most);
    expect(await picture(store)).toEqual(expected);
  }
});
