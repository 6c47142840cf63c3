import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Problem } from "@/server/domain/answers";
import { type Product, startProduct } from "@/test/support/server";
import { ask, deliver, gymRow } from "./deliver";

const SECRETS = { ingest: "sender-secret-000001", viewer: "viewer-secret-000001", operator: "operator-secret-0001" };
const TOKENS = Object.entries(SECRETS).map(([role, secret]) => `${role}-one:${role}:${secret}`);

let product: Product;
beforeAll(async () => {
  product = await startProduct({ env: { COALMINE_TOKENS: TOKENS.join(",") } });
});
afterAll(() => product.remove());

function bearer(role: keyof typeof SECRETS | null): Record<string, string> {
  return role === null ? {} : { authorization: `Bearer ${SECRETS[role]}` };
}

describe("with tokens configured", () => {
  test.each<[keyof typeof SECRETS | null, number, number, number]>([
    [null, 401, 401, 401],
    ["ingest", 200, 403, 403],
    ["viewer", 403, 200, 403],
    ["operator", 200, 200, 200],
  ])("%s: sending is answered %i, reading %i, undoing %i", async (role, sending, reading, undoing) => {
    const headers = bearer(role);
    const sent = await deliver(product.url, gymRow(1, 0), { query: { run: `of-${role}` }, headers });
    const read = await ask(`${product.url}/api/v1/runs`, { headers });
    const undone = await ask(`${product.url}/api/v1/runs/of-operator?preview=true`, { method: "DELETE", headers });
    expect([sent.status, read.status, undone.status]).toEqual([sending, reading, undoing]);
  });

  test("a wrong token is nobody, and the answer does not repeat it", async () => {
    const answer = await ask<Problem>(`${product.url}/api/v1/runs`, {
      headers: { authorization: "Bearer wrong-secret" },
    });
    expect([answer.status, answer.body.code]).toEqual([401, "unauthorized"]);
    expect(JSON.stringify(answer.body)).not.toContain("wrong-secret");
  });

  test("health stays open, and pages ask to sign in", async () => {
    expect((await fetch(`${product.url}/api/v1/health`)).status).toBe(200);
    const page = await fetch(`${product.url}/`, { redirect: "manual" });
    expect(page.status).toBe(307);
    expect(page.headers.get("location")).toContain("sign-in");
  });

  test("no secret is written to the terminal", () => {
    for (const secret of Object.values(SECRETS)) expect(product.output()).not.toContain(secret);
  });
});
