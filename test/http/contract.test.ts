import { beforeEach, describe, expect, it } from "vitest";
import { RULES_VERSION } from "@/server/classify/classify";
import type { Problem } from "@/server/domain/answers";
import { type RealServer, realServer } from "./real-services";

let server: RealServer;
beforeEach(async () => {
  server = await realServer();
});

async function problem(path: string, init?: RequestInit): Promise<Problem> {
  const response = await server.call(path, init);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const body = (await response.json()) as Problem;
  expect(body.status).toBe(response.status);
  return body;
}

describe("every answer", () => {
  it("names the taxonomy that it was made with", async () => {
    for (const path of ["/runs", "/taxonomy", "/nothing", "/runs?limit=0"]) {
      expect((await server.call(path)).headers.get("coalmine-taxonomy")).toBe(RULES_VERSION);
    }
  });

  it("to HEAD is that to GET without its body", async () => {
    const response = await server.call("/taxonomy", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("content-type")).toBe("application/json");
  });

  it("to OPTIONS says which methods there are", async () => {
    const response = await server.call("/runs/x", { method: "OPTIONS" });
    expect([response.status, response.headers.get("allow")]).toEqual([204, "DELETE, GET, HEAD, OPTIONS, PUT"]);
  });
});

describe("a call that goes wrong", () => {
  it("says that there is no such call, run, incident, rollout or delivery", async () => {
    for (const path of [
      "/nothing",
      "/runs/x",
      "/incidents/x",
      "/rollouts/x",
      "/batches/x/rejects",
      "/runs/x/breakdown",
    ]) {
      expect((await problem(path)).code).toBe("not_found");
    }
  });

  it("says which methods there are instead", async () => {
    const response = await server.call("/runs", { method: "POST" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  it("names the parameter", async () => {
    const cases: [string, RegExp][] = [
      ["/runs?limit=0", /^limit: /],
      ["/runs?limit=ten", /^limit: must be a whole number/],
      ["/runs?limit=1&limit=2", /^limit: /],
      ["/runs?cursor=nonsense", /^cursor: /],
      ["/runs?lmit=5", /^lmit: not a parameter/],
      ["/failures?by=class,colour", /^by\.1: /],
      ["/failures?by=class,node,run", /^by: at most two/],
      ["/failures?by=hour,day", /^by: hour and day cannot be combined/],
      ["/nodes?from=yesterday", /^from: must be a time/],
      ["/runs/%ff", /^run: is not valid percent-encoding/],
    ];
    for (const [path, detail] of cases) {
      const said = await problem(path);
      expect([path, said.code]).toEqual([path, "invalid"]);
      expect(said.detail).toMatch(detail);
    }
  });

  it("keeps to itself what nobody expected", async () => {
    await server.store.close();
    const said = await problem("/runs");
    expect(["internal", "unavailable"]).toContain(said.code);
    expect(JSON.stringify(said)).not.toMatch(/database|sqlite|\.ts/i);
  });

  it("answers health with 503 when the store does not answer", async () => {
    expect(await server.json("/health")).toMatchObject({ ok: true, store: "ok", unsettled: 0, dataVersion: 0 });
    await server.store.close();
    const response = await server.call("/health");
    expect([response.status, await response.json()]).toMatchObject([503, { ok: false, store: "unavailable" }]);
  });
});

describe("a list as CSV", () => {
  it("has dotted columns and runs nothing in a spreadsheet", async () => {
    await server.call("/runs/%3Dcmd", {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: '=HYPERLINK("http://evil")', notes: "two\nlines", planned: 7 }),
    });
    const response = await server.call("/runs", { headers: { accept: "text/csv" } });
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const text = await response.text();
    const [head, ...rows] = text.split("\r\n");
    expect(head?.split(",").slice(0, 2)).toEqual(["id", "name"]);
    expect(head).toContain("byFamily.oom");
    expect(rows[0]).toMatch(/^'=cmd,"'=HYPERLINK\(""http:\/\/evil""\)",/);
    expect(text).toContain('"two\nlines"');
  });

  it("says in a Link header where the next page is", async () => {
    for (const run of ["a", "b"]) {
      const headers = { "content-type": "application/yaml" };
      await server.call(`/runs/${run}`, { method: "PUT", headers, body: "planned: 1" });
    }
    const first = await server.call("/runs?limit=1", { headers: { accept: "text/csv" } });
    const next = /^<\/api\/v1(\/runs\?[^>]+)>; rel="next"$/.exec(first.headers.get("link") ?? "")?.[1];
    const second = await server.call(next ?? "", { headers: { accept: "text/csv" } });
    expect((await second.text()).split("\r\n")).toHaveLength(3);
    expect(second.headers.get("link")).toBeNull();
  });
});

describe("a body", () => {
  it("that its sender breaks off is the sender's mistake, and leaves nothing", async () => {
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1;
        if (pulls > 3) controller.error(new Error("socket hang up"));
        else controller.enqueue(new TextEncoder().encode('{"_ng_task_index":0,"reward":1}\n'));
      },
    });
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    expect(await problem("/ingest/auto?run=left", init)).toMatchObject({
      code: "invalid",
      detail: expect.stringMatching(/broken off/),
    });
    expect(await server.json("/batches")).toMatchObject({ items: [] });
    expect(await server.json("/runs")).toMatchObject({ items: [] });
  });

  it("that says it is larger than this server takes is refused before it is read", async () => {
    const headers = { "content-length": String(2 ** 40) };
    expect((await problem("/ingest/auto", { method: "POST", body: "x", headers })).code).toBe("too_large");
  });

  it("in an encoding, a format or a zone that is not known is refused by name", async () => {
    const post = (path: string, headers: Record<string, string> = {}) =>
      problem(path, { method: "POST", body: "x\n", headers });
    expect((await post("/ingest/auto", { "content-encoding": "rot13" })).code).toBe("unsupported");
    expect((await post("/ingest/nonsense")).detail).toMatch(/nonsense/);
    expect((await post("/ingest/auto?tz=Mars/Olympus")).detail).toMatch(/^tz: /);
  });
});
