import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { List, RolloutAnswer } from "@/server/domain/answers";
import { isKnownPage } from "@/server/http/known-page";
import { realServer } from "./real-services";

const gym = readFileSync(fileURLToPath(new URL("../cases/002-gym-rollouts-and-failures.jsonl", import.meta.url)));
const POD = {
  kind: "Pod",
  metadata: { name: "sandbox-1", namespace: "rl", uid: "00000000-0000-4000-8000-000000000001" },
  spec: { nodeName: "gpu-7", containers: [] },
  status: { phase: "Failed", reason: "Evicted", message: "The node was low on resource: memory." },
};

async function delivered() {
  const server = await realServer();
  for (const body of [gym, JSON.stringify(POD)]) {
    const sent = await server.call("/ingest/auto?run=swe", { method: "POST", body: body as BodyInit });
    expect(sent.status).toBeLessThan(300);
  }
  const known = (path: string) => isKnownPage(path, async () => server.services);
  const { items } = await server.json<List<RolloutAnswer>>("/runs/swe/rollouts");
  return { known, rollout: items[0]?.id ?? "" };
}

describe("before a page is begun", () => {
  it("a run, rollout or node that evidence names is known, and another is not", async () => {
    const { known, rollout } = await delivered();
    expect(rollout).not.toBe("");
    for (const path of ["/runs/swe", `/rollouts/${rollout}`, "/nodes/gpu-7"])
      expect([path, await known(path)]).toEqual([path, true]);
    for (const path of ["/runs/swf", "/rollouts/none", "/nodes/gpu-8", "/runs/a%20b"])
      expect([path, await known(path)]).toEqual([path, false]);
  });

  it("pages about nothing in particular stand, and so do those of which it cannot be told", async () => {
    const { known } = await delivered();
    for (const path of ["/", "/runs", "/search", "/constructor/x", "/runs/swe/more"])
      expect(await known(path)).toBe(true);
    expect(await known("/canaries/x")).toBe(true);
    expect(await isKnownPage("/runs/swe", () => Promise.reject(new Error("no store")))).toBe(true);
  });
});
