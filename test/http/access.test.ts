import { beforeEach, describe, expect, it } from "vitest";
import type { Problem } from "@/server/domain/answers";
import { ROUTES } from "@/server/http/routes";
import { bearer, HOST, type RealServer, realServer, TOKENS } from "./real-services";

describe("without tokens", () => {
  let server: RealServer;
  beforeEach(async () => {
    server = await realServer({ publicUrl: "https://coalmine.example" });
  });

  it("answers to loopback names with its own port and to its public address", async () => {
    for (const host of [HOST, "localhost:4180", "[::1]:4180", "127.9.9.9:4180", "coalmine.example", "LOCALHOST:4180"]) {
      expect([host, (await server.call("/runs", { headers: { host } })).status]).toEqual([host, 200]);
    }
  });

  it("refuses names that were made to resolve here", async () => {
    const hosts = [
      "evil.example:4180",
      "127.0.0.1.evil.example:4180",
      "localhost:9999",
      "x@localhost:4180",
      "",
      "localhost",
    ];
    for (const host of hosts) {
      expect([host, (await server.call("/runs", { headers: { host } })).status]).toEqual([host, 403]);
    }
    expect((await server.call("/health", { headers: { host: "evil.example" } })).status).toBe(403);
  });

  it("takes changes from programs and from its own pages", async () => {
    const own: Record<string, string>[] = [
      {},
      { origin: `http://${HOST}` },
      { "sec-fetch-site": "same-origin" },
      { origin: "https://coalmine.example" },
    ];
    for (const headers of own) {
      const response = await server.call("/demo?preview=true", { method: "DELETE", headers });
      expect(response.status).toBe(200);
    }
  });

  it("refuses changes that another site's page asks for", async () => {
    const foreign: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://localhost:3000" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site", origin: `http://${HOST}` },
      { authorization: "Bearer anything", origin: "https://evil.example" },
    ];
    for (const headers of foreign) {
      const response = await server.call("/demo?preview=true", { method: "DELETE", headers });
      expect([headers, response.status]).toEqual([headers, 403]);
    }
    expect((await server.call("/runs", { headers: { origin: "https://evil.example" } })).status).toBe(200);
  });
});

describe("with tokens", () => {
  let server: RealServer;
  beforeEach(async () => {
    server = await realServer({ tokens: TOKENS });
  });

  it("lets each role do its own and nothing else", async () => {
    for (const role of ["ingest", "viewer", "operator"] as const) {
      const statuses = await Promise.all([
        server.call("/ingest/auto", { method: "POST", headers: bearer(role), body: "{}\n" }).then((r) => r.status),
        server.call("/runs", { headers: bearer(role) }).then((r) => r.status),
        server.call("/demo?preview=true", { method: "DELETE", headers: bearer(role) }).then((r) => r.status),
      ]);
      const denied = statuses.map((status) => status === 403);
      expect([role, denied]).toEqual([
        role,
        { ingest: [false, true, true], viewer: [true, false, true], operator: [false, false, false] }[role],
      ]);
    }
  });

  it("asks for a token on every call that is not open, and says how", async () => {
    for (const route of ROUTES.filter((one) => one.need !== "open")) {
      const path = route.path.replace(/\{\w+\}/g, "x");
      const response = await server.call(path, { method: route.method });
      expect([route.operation, response.status]).toEqual([route.operation, 401]);
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
      expect(((await response.json()) as Problem).code).toBe("unauthorized");
    }
    expect((await server.call("/health")).status).toBe(200);
  });

  it("refuses a wrong token, and a near one", async () => {
    for (const secret of ["wrong", `${TOKENS[1]?.secret}x`, TOKENS[1]?.secret.slice(0, -1)]) {
      const headers = { authorization: `Bearer ${secret}` };
      expect((await server.call("/runs", { headers })).status).toBe(401);
    }
  });

  it("signs in with a cookie that pages and scripts of other sites cannot use", async () => {
    const response = await signIn(server, TOKENS[1]?.secret ?? "");
    expect(await response.json()).toEqual({ name: "grafana", role: "viewer" });
    const cookie = response.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain(TOKENS[1]?.secret);
    const headers = { cookie: cookie.split(";")[0] ?? "" };
    expect((await server.call("/runs", { headers })).status).toBe(200);
    expect((await server.call("/demo", { method: "DELETE", headers })).status).toBe(403);
    const forged = { cookie: headers.cookie.replace(/.$/, (last) => (last === "A" ? "B" : "A")) };
    expect((await server.call("/runs", { headers: forged })).status).toBe(401);
  });

  it("keeps the cookie to https where the public address is", async () => {
    const secure = await realServer({ tokens: TOKENS, publicUrl: "https://coalmine.example" });
    expect((await signIn(secure, TOKENS[2]?.secret ?? "")).headers.get("set-cookie")).toMatch(/; Secure$/);
    const out = await secure.call("/session", { method: "DELETE" });
    expect(out.headers.get("set-cookie")).toMatch(/^coalmine-session=; Path=\/; Max-Age=0/);
  });

  it("says who is asking and whether one signs in here", async () => {
    const mine = await server.json("/session", { headers: bearer("viewer") });
    expect(mine).toEqual({ name: "grafana", role: "viewer", signIn: true });
    expect((await server.call("/session")).status).toBe(401);
    expect(await (await realServer()).json("/session")).toEqual({ name: "local", role: "operator", signIn: false });
  });

  it("ends a session when its token is taken away", async () => {
    const cookie = (await signIn(server, TOKENS[2]?.secret ?? "")).headers.get("set-cookie")?.split(";")[0] ?? "";
    const rotated = await realServer({
      tokens: [{ name: "admin", role: "operator", secret: "another-secret-0123456789" }],
    });
    expect((await rotated.call("/runs", { headers: { cookie } })).status).toBe(401);
  });

  it("refuses changes by cookie from another site, and does not check a program's token for one", async () => {
    const cookie = (await signIn(server, TOKENS[2]?.secret ?? "")).headers.get("set-cookie")?.split(";")[0] ?? "";
    const origin = "https://evil.example";
    const path = "/demo?preview=true";
    expect((await server.call(path, { method: "DELETE", headers: { cookie, origin } })).status).toBe(403);
    expect((await server.call(path, { method: "DELETE", headers: { ...bearer("operator"), origin } })).status).toBe(
      200,
    );
  });

  it("answers under any name: a token is needed anyway", async () => {
    const headers = { ...bearer("viewer"), host: "coalmine.monitoring.svc:4180" };
    expect((await server.call("/runs", { headers })).status).toBe(200);
  });
});

function signIn(server: RealServer, token: string): Promise<Response> {
  return server.call("/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
}
