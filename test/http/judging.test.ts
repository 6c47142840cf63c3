import { beforeAll, describe, expect, test } from "vitest";
import type { CompareAnswer } from "@/server/compare/answer";
import type { List, RolloutAnswer } from "@/server/domain/answers";
import type { NodeDetail } from "@/server/domain/node-detail";
import type { Finding } from "@/server/findings/finding";
import { matchPath } from "@/server/http/match";
import { ROUTES } from "@/server/http/routes";
import { type RealServer, realServer } from "./real-services";

let server: RealServer;
beforeAll(async () => {
  server = await realServer();
  await server.call("/demo", { method: "POST" });
}, 120_000);

/** The answer, once it is shown to hold exactly what the API's description says. */
async function described<T>(path: string): Promise<T> {
  const answer = await server.json<T>(path);
  const route = matchPath(ROUTES, `/api/v1${path.split("?")[0]}`)?.routes.find((one) => one.method === "GET");
  if (!route) throw new Error(`no call ${path}`);
  const held = route.answer.list ? (answer as List<unknown>).items : [answer];
  expect(held.map((one) => route.answer.schema.parse(one))).toEqual(held);
  return answer;
}

describe("answers that judge", () => {
  test("findings are as described, of one run or of the newest, and can be had as CSV", async () => {
    const one = await described<List<Finding>>("/findings?run=swe-2gi");
    expect(one.items[0]).toMatchObject({ id: "memory-limit", canaryPlan: { plan: "memory-limit" } });
    expect((await described<List<Finding>>("/findings")).items.length).toBeGreaterThan(one.items.length);
    const csv = await (await server.call("/findings?run=swe-2gi", { headers: { accept: "text/csv" } })).text();
    expect(csv.split("\r\n")[0]).toContain("winBack.rollouts.estimate");
    expect((await server.call("/findings?run=x")).status).toBe(404);
  });

  test("the evidence of every finding can be followed", async () => {
    const { items } = await described<List<Finding>>("/findings");
    for (const { path, query } of items.flatMap((one) => one.evidence)) {
      const response = await server.call(`${path}?${new URLSearchParams(query)}`);
      expect([path, response.status]).toEqual([path, 200]);
      const rows = ((await response.json()) as Partial<List<object>>).items;
      if (rows) expect([path, query, rows.length > 0]).toEqual([path, query, true]);
    }
  });

  test("a comparison is as described, decided as asked", async () => {
    const answer = await described<CompareAnswer>("/compare?baseline=swe-2gi&candidate=swe-8gi");
    expect(answer.verdict).toBe("better");
    const unpaired = await described<CompareAnswer>("/compare?baseline=swe-2gi&candidate=swe-8gi&paired=false");
    expect(unpaired.metrics.map((metric) => metric.decidedBy)).toEqual(Array(5).fill("unpaired"));
    expect((await server.call("/compare?baseline=swe-2gi")).status).toBe(400);
    expect((await server.call("/compare?baseline=swe-2gi&candidate=swe-2gi")).status).toBe(400);
  });

  test("a node, a gate, a rollout and an incident are as described", async () => {
    const node = await described<NodeDetail>("/nodes/gpu-pool-31?run=swe-8gi-bounded");
    expect(node).toMatchObject({ verdict: "suspect", strata: [{ here: 9, seen: 3 }] });
    expect((await server.call("/nodes/nowhere")).status).toBe(404);
    expect(await described("/gate?max=5%25&run=swe-2gi")).toMatchObject({ verdict: "fail", exitCode: 1 });
    expect(await described("/gate?max=0.5&run=swe-8gi&baseline=swe-2gi")).toMatchObject({ exitCode: 0 });
    for (const max of ["0", "1", "5", "-1%", "x"]) expect((await server.call(`/gate?max=${max}`)).status).toBe(400);
    const lost = await server.json<List<RolloutAnswer>>("/runs/swe-8gi-bounded/rollouts?verdict=infra_failed");
    await described(`/rollouts/${lost.items[0]?.id}`);
    await described(`/incidents/${lost.items[0]?.incident}`);
  });

  test("a gate without any run says so", async () => {
    const empty = await realServer();
    expect(await (await empty.call("/gate?max=5%25")).json()).toMatchObject({
      code: "not_found",
      detail: "No run has rollouts yet.",
    });
    expect((await empty.json<List<Finding>>("/findings")).items).toEqual([]);
  });
});
