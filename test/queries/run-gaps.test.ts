import { expect, test } from "vitest";
import { withRunGaps } from "@/server/http/run-gap-options";
import { gapsOf, runGaps } from "@/server/queries/run-gaps";
import { openMemory, send } from "../support/deliveries";

const SANDBOXES = ["3f0c8a52-6b1e-4c77-9a0d-5d2b7e91c4aa", "77d1b0e4-0f5a-4d0c-8a63-21c9e5f7b310"];

async function storeWith(...deliveries: { format: string; source: string; run?: string; text: string }[]) {
  const store = await openMemory();
  const receivedAt = Date.parse("2026-07-22T00:00:00Z");
  for (const { text, ...params } of deliveries) await send(store, text, params, { receivedAt });
  return store;
}

const two = (n: number) => String(n).padStart(2, "0");
const access = (sandbox: string, second: number, route = "command", method = "POST") =>
  `INFO:     2026-07-21 09:14:${two(second)}+0000 [-] uvicorn.access: 10.61.0.9:50212 - "${method} /v1/sandboxes/${sandbox}/proxy/44772/${route} HTTP/1.1" 200`;
const rollout = (index: number) =>
  JSON.stringify({
    instance_id: "django__django-1",
    reward: 1,
    _ng_task_index: 0,
    _ng_rollout_index: index,
    response: { id: `r${index}`, output: [{ type: "message" }] },
    error: `sandbox_id=${SANDBOXES[index]}`,
    sandbox_id: SANDBOXES[index],
  });

const ROLLOUTS = { format: "gym-rollouts", source: "harness", run: "exp-7", text: [0, 1].map(rollout).join("\n") };
const LOG = {
  format: "opensandbox-server",
  source: "server",
  text: [
    access(SANDBOXES[0] as string, 0, "ping", "GET"),
    ...[1, 5, 10].map((second) => access(SANDBOXES[0] as string, second)),
    ...[3, 4].map((second) => access(SANDBOXES[1] as string, second)),
  ].join("\n"),
};

test("the gaps of a run are those between its commands in each sandbox, as the server's access lines time them", async () => {
  const store = await storeWith(ROLLOUTS, LOG);
  expect(await runGaps(store, { run: "exp-7" })).toEqual({
    gapsS: expect.toSatisfy((gaps: number[]) => [...gaps].sort((a, b) => a - b).join() === "1,4,5"),
    sandboxes: { told: 2, known: 2 },
    atOnce: 2,
    toldBy: "server",
  });
});

test("a run whose commands nobody timed has unknown gaps, and is refused with what is missing", async () => {
  const store = await storeWith(ROLLOUTS);
  expect(await runGaps(store, { run: "exp-7" })).toMatchObject({ gapsS: [], toldBy: null });
  await expect(withRunGaps(store, "replay", { run: "exp-7" })).rejects.toThrow(
    /^options.run: the idle gaps of exp-7 are unknown: 0 of its 2 sandboxes have timed commands/,
  );
  await expect(withRunGaps(store, "idle-boundary", { run: "none" })).rejects.toThrow(/no sandbox of it is known/);
});

test("a plan gets the gaps of the run it names, with where they come from", async () => {
  const store = await storeWith(ROLLOUTS, LOG);
  const replay = await withRunGaps(store, "replay", { run: "exp-7" });
  expect(replay).toMatchObject({
    run: "exp-7",
    sandboxes: 2,
    gapsFrom: expect.stringMatching(/^3 gaps of 2 of 2 sandboxes by access/),
  });
  expect(await withRunGaps(store, "idle-boundary", { run: "exp-7" })).toMatchObject({ runGapsS: replay.gapsS });
  await expect(withRunGaps(store, "replay", { run: "exp-7", gapsS: [1] })).rejects.toThrow(/gapsS is given already/);
  expect(await withRunGaps(store, "smoke", { run: "exp-7" })).toEqual({ run: "exp-7" });
});

test("of two tellings of the same commands one is taken", () => {
  const times = new Map([
    ["sandbox:default/a", { server: [1_000, 3_000], harness: [1_400, 3_400] }],
    ["sandbox:default/b", { server: [], harness: [2_000, 2_500] }],
  ]);
  expect(gapsOf(times)).toEqual({ gapsS: [2, 0.5], sandboxes: { told: 2, known: 2 }, atOnce: 2, toldBy: "harness" });
});
