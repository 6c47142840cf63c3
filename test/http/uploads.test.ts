import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { List, Problem } from "@/server/domain/answers";
import type { UploadAnswer } from "@/server/domain/upload";
import { Uploads } from "@/server/uploads/uploads";
import { bearer, type RealServer, realServer, TOKENS } from "./real-services";

const ROW = `${JSON.stringify({ _ng_task_index: 0, _ng_rollout_index: 0, reward: 1, instance_id: "t-0" })}\n`;

let folder: string;
let server: RealServer;
let uploads: Uploads;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "coalmine-uploads-"));
  server = await realServer();
  const { ingest } = server.services;
  uploads = await Uploads.open({ folder, mostBytes: 10_000, maxBodyBytes: 10_000, ingest });
  server.services.uploads = uploads;
});
afterEach(async () => {
  await uploads.close();
  rmSync(folder, { recursive: true, force: true });
});

function create(body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return server.call("/uploads", { method: "POST", headers, body: JSON.stringify(body) });
}

async function created(more: object = {}): Promise<UploadAnswer> {
  return (await create({ name: "a.jsonl", size: ROW.length, ...more })).json() as Promise<UploadAnswer>;
}

function put(id: string, offset: number | string, body: string): Promise<Response> {
  return server.call(`/uploads/${id}?offset=${offset}`, { method: "PUT", body });
}

describe("an upload", () => {
  it("in two pieces becomes a delivery with the parameters given at its beginning", async () => {
    const { id, offset, source } = await created({ params: { run: "r-1" } });
    expect([offset, source]).toEqual([0, "a.jsonl"]);
    expect((await put(id, 0, ROW.slice(0, 10))).status).toBe(200);
    expect(await server.json(`/uploads/${id}`)).toMatchObject({ offset: 10, state: "receiving", result: null });
    await put(id, 10, ROW.slice(10));
    const done = await server.json<UploadAnswer>(`/uploads/${id}/complete`, { method: "POST" });
    expect(done).toMatchObject({ state: "done", run: "r-1", result: { rollouts: 1 } });
    expect(await server.json("/runs/r-1")).toMatchObject({ rollouts: 1 });
    expect((await server.json<List<UploadAnswer>>("/uploads")).items).toEqual([done]);
  });

  it("answers a wrong offset with the right one, as a field and in words", async () => {
    const { id } = await created();
    await put(id, 0, ROW.slice(0, 10));
    const response = await put(id, 4, ROW.slice(4));
    expect([response.status, response.headers.get("content-type")]).toEqual([409, "application/problem+json"]);
    expect(await response.json()).toMatchObject({
      code: "conflict",
      offset: 10,
      detail: expect.stringContaining("10"),
    });
  });

  it("that is given up is gone", async () => {
    const { id } = await created();
    expect((await server.call(`/uploads/${id}`, { method: "DELETE" })).status).toBe(200);
    expect(await server.json<Problem>(`/uploads/${id}`)).toMatchObject({ code: "not_found" });
  });

  it.each([
    [{ size: 3 }, 400, /name/],
    [{ name: "a", size: -1 }, 400, /size/],
    [{ name: "a", size: 3, params: { tz: "Mars/Olympus" } }, 400, /params\.tz/],
    [{ name: "a", size: 3, params: { origin: "demo" } }, 400, /origin/],
    [{ name: "a", size: 3, params: { format: "nonsense" } }, 400, /nonsense/],
    [{ name: "a", size: 10_001 }, 413, /size/],
  ])("asked for as %j is refused by name", async (body, status, detail) => {
    const response = await create(body);
    expect(response.status).toBe(status);
    expect(((await response.json()) as Problem).detail).toMatch(detail);
  });

  it("needs an offset that is a number, and the right to send", async () => {
    const { id } = await created();
    for (const offset of ["", "-1", "x", "1.5"]) expect((await put(id, offset, "x")).status).toBe(400);
    const guarded = await realServer({ tokens: TOKENS });
    guarded.services.uploads = uploads;
    for (const role of ["viewer", "ingest"] as const) {
      const answer = await guarded.call(`/uploads/${id}`, { headers: bearer(role) });
      expect(answer.status).toBe(role === "ingest" ? 200 : 403);
    }
  });
});
