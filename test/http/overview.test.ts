import { expect, it } from "vitest";
import type { Overview } from "@/server/domain/answers";
import { realServer } from "./real-services";

it("the first page's sentence counts every rollout of the runs that it names, also those without a time", async () => {
  const server = await realServer();
  const row = (index: number, response: object) => ({
    _ng_task_index: index,
    _ng_rollout_index: 0,
    reward: 1,
    agent_ref: { name: "mini_swe_agent_2" },
    response: { output: [{ type: "message", content: "done" }], ...response },
  });
  const rows = [row(0, { created_at: 1_790_000_000 }), row(1, {})];
  const body = rows.map((one) => JSON.stringify(one)).join("\n");
  const sent = await server.call("/ingest/auto?run=exp-1", { method: "POST", body: `${body}\n` });
  expect(sent.status).toBe(200);
  const { sentence, days } = await server.json<Overview>("/overview");
  expect(sentence).toBe("Infrastructure took none of 2 rollouts of 1 run.");
  expect(days.map((day) => day.rollouts)).toEqual([1]);
});
