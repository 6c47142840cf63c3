import { describe, expect, test } from "vitest";
import { type Files, zipOf } from "../../support/archives";
import { incidents, openMemory, rollouts, send } from "../../support/deliveries";

const trajectory = (instance: string, status: string, patch = "diff", more: object = {}) =>
  JSON.stringify({
    instance_id: instance,
    trajectory_format: "mini-swe-agent-1.1",
    info: { exit_status: status, submission: patch, ...more },
    messages: [{ role: "user", content: "Error response from daemon: No such container" }],
  });
const prediction = (instance: string, patch = "diff") => ({ instance_id: instance, model_patch: patch });
const cut =
  'Traceback (most recent call last):\n  File "x.py", line 1, in y\nhttpx.RemoteProtocolError: Server disconnected without sending a response.\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n  File "x.py", line 2, in y\nopensandbox.exceptions.SandboxInternalException: Unexpected SDK error occurred\n';

/** A batch of mini-swe-agent: b-2's box was cut, b-3's never came up, and of b-4 the batch knows only that it was tried. */
const BATCH: Files = {
  "mini/preds.json": JSON.stringify(
    Object.fromEntries(["b-1", "b-2", "b-3", "b-4"].map((id) => [id, prediction(id, id === "b-1" ? "diff" : "")])),
  ),
  "mini/exit_statuses_1788000000.yaml":
    "instances_by_exit_status:\n  Submitted:\n  - b-1\n  SandboxInternalException:\n  - b-2\n  - b-3\n",
  "mini/b-1/b-1.traj.json": trajectory("b-1", "Submitted"),
  "mini/b-2/b-2.traj.json": trajectory("b-2", "SandboxInternalException", "", {
    exception_str: "Unexpected SDK error occurred",
    traceback: cut,
  }),
};
const REPORT = JSON.stringify({
  total_instances: 4,
  schema_version: 2,
  resolved_ids: ["b-1"],
  unresolved_ids: [],
  empty_patch_ids: ["b-2", "b-3", "b-4"],
  error_ids: [],
  incomplete_ids: [],
});

async function verdicts(...bodies: [name: string, body: string | Uint8Array][]) {
  const store = await openMemory();
  for (const [name, body] of bodies) await send(store, body, { run: "mini", source: name }, { name });
  const effective = (await rollouts(store)).filter((row) => row.effective);
  return Object.fromEntries(effective.map((row) => [row.task, [row.verdict, row.class]]));
}

describe("a batch of mini-swe-agent", () => {
  const expected = {
    "b-2": ["infra_failed", "transport.stale_keepalive"],
    "b-3": ["infra_failed", "exec.sandbox_error"],
  };

  test("has one effective rollout for each instance, lost ones by the record that says most", async () => {
    expect(await verdicts(["mini.zip", zipOf(BATCH)])).toEqual({ "b-1": ["not_scored", null], ...expected });
  });

  test("keeps its losses when a judge reports empty patches, in whichever order they come", async () => {
    const judged = { "b-1": ["passed", null], ...expected, "b-4": ["failed", "task.failed"] };
    const [batch, report] = [
      ["mini.zip", zipOf(BATCH)],
      ["m.mini.json", REPORT],
    ] as [string, string | Uint8Array][];
    if (!batch || !report) throw new Error("made above");
    expect(await verdicts(batch, report)).toEqual(judged);
    expect(await verdicts(report, batch)).toEqual(judged);
  });

  test("takes nothing that was said in a trajectory for evidence", async () => {
    const store = await openMemory();
    await send(store, zipOf(BATCH));
    expect((await incidents(store)).map((one) => one.class)).not.toContain("control.sandbox_gone");
  });
});

describe("prime-rl's rollouts", () => {
  const trace = (id: string, ok: boolean) => ({
    id,
    task: { type: "T", data: { name: "t1" } },
    agent: { name: "a", runtime: { type: "prime", id: `box-${id}` } },
    rewards: { r: ok ? { score: 1, weight: 1 } : null },
    ok,
    stop_condition: ok ? "done" : "error",
    errors: ok ? [] : [{ type: "SandboxError", message: "create failed" }],
    nodes: [],
  });
  const episode = (id: string, ok: boolean) =>
    JSON.stringify({
      id: `e-${id}`,
      task: { type: "T", data: { name: "t1" } },
      ok,
      errors: [],
      traces: [trace(id, ok)],
    });

  test("that stand under all and under effective count once", async () => {
    const store = await openMemory();
    const root = "p1/rollouts/step_3/train";
    await send(
      store,
      zipOf({
        [`${root}/all/traces.jsonl`]: `${episode("x", true)}\n${episode("y", false)}\n`,
        [`${root}/effective/traces.jsonl`]: `${episode("x", true)}\n`,
        "p1/metrics.jsonl": '{"step":3,"time":1788000000,"swe/all/has_error/mean":0.5}\n',
      }),
    );
    const rows = (await rollouts(store)).map((row) => [row.run, row.verdict, row.sandboxes[0]]);
    expect(rows.sort()).toEqual([
      ["p1", "infra_failed", "box-y"],
      ["p1", "passed", "box-x"],
    ]);
  });
});
