import { describe, expect, it } from "vitest";
import { sessionCookie } from "@/server/http/auth";
import { guardPage, isCall, refuseUnreadable } from "@/server/http/guard";
import { HOST, TOKENS } from "./real-services";

const open = { port: 4180, publicUrl: null, tokens: [] };
const closed = { ...open, tokens: TOKENS };

function page(path: string, headers: Record<string, string> = {}) {
  return { method: "GET", url: `http://${HOST}${path}`, headers: new Headers({ host: HOST, ...headers }) };
}

describe("what stands before the pages", () => {
  it("gives each answer a nonce of its own, to the page and to the browser alike", () => {
    const [a, b] = [guardPage(page("/"), open, false), guardPage(page("/"), open, false)];
    if ("answer" in a || "answer" in b) throw new Error("a page was refused");
    expect(a.request["x-nonce"]).not.toBe(b.request["x-nonce"]);
    expect(a.response["content-security-policy"]).toBe(a.request["content-security-policy"]);
    expect(a.response["content-security-policy"]).toContain(`'nonce-${a.request["x-nonce"]}' 'strict-dynamic'`);
  });

  it("lets no text be run as code in production", () => {
    const guarded = guardPage(page("/"), open, false);
    const policy = "answer" in guarded ? "" : (guarded.response["content-security-policy"] ?? "");
    expect(policy).not.toContain("unsafe-eval");
    expect(/script-src[^;]*unsafe-inline/.test(policy)).toBe(false);
    for (const rule of ["frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'", "default-src 'self'"]) {
      expect(policy).toContain(rule);
    }
  });

  it("refuses a foreign Host", () => {
    const guarded = guardPage(page("/", { host: "evil.example:4180" }), open, false);
    expect("answer" in guarded && guarded.answer.status).toBe(403);
  });

  it.each(["/runs/%ff", "/runs/%", "/nodes/%E0%A4"])("says of %s that it is no address", (path) => {
    const guarded = guardPage(page(path), open, false);
    expect("answer" in guarded && guarded.answer.status).toBe(400);
  });

  it.each(["/api/v1/runs/%", "/otlp/v1/%ff", "/loki/%ED%A0%80"])("answers the call %s as a call", async (path) => {
    expect(isCall(path)).toBe(true);
    const answer = refuseUnreadable(page(path).url);
    expect([answer?.status, answer?.headers.get("content-type")]).toEqual([400, "application/problem+json"]);
    expect(await answer?.json()).toMatchObject({ code: "invalid" });
    expect(refuseUnreadable(page("/api/v1/runs/a%20b").url)).toBeNull();
  });

  it("sends strangers to the sign-in page, and back to where they were going", () => {
    const guarded = guardPage(page("/runs/a%20b?by=node"), closed, false);
    if (!("answer" in guarded)) throw new Error("a stranger was let in");
    const to = new URL(guarded.answer.headers.get("location") ?? "");
    expect([guarded.answer.status, to.pathname]).toEqual([307, "/sign-in"]);
    expect(to.searchParams.get("next")).toBe("/runs/a%20b?by=node");
    expect("answer" in guardPage(page("/sign-in"), closed, false)).toBe(false);
  });

  it("lets in whom the cookie names, and no one whose token may only send", () => {
    const cookieOf = (i: number) => {
      const token = TOKENS[i];
      return token ? (sessionCookie(token, closed, Date.now()).split(";")[0] ?? "") : "";
    };
    expect("answer" in guardPage(page("/", { cookie: `theme=dark; ${cookieOf(1)}` }), closed, false)).toBe(false);
    expect("answer" in guardPage(page("/", { cookie: cookieOf(0) }), closed, false)).toBe(true);
    const old = TOKENS[1] ? (sessionCookie(TOKENS[1], closed, 0).split(";")[0] ?? "") : "";
    expect("answer" in guardPage(page("/", { cookie: old }), closed, false)).toBe(true);
  });
});
