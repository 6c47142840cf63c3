import { describe, expect, test } from "vitest";
import { CHROMIUM, open } from "./browser";
import { reading } from "./reading";

const SECRETS = { ingest: "sender-secret-e2e-01", viewer: "viewer-secret-e2e-01", operator: "operator-secret-e2e1" };
const TOKENS = Object.entries(SECRETS).map(([role, secret]) => `${role}-one:${role}:${secret}`);
const ROW = '{"_ng_task_index":1,"_ng_rollout_index":0,"reward":1}\n';

describe.skipIf(CHROMIUM === null)("a server with tokens", () => {
  const held = reading({ env: { COALMINE_TOKENS: TOKENS.join(",") } });

  async function signIn(role: keyof typeof SECRETS): Promise<void> {
    await held.page.getByLabel("Token").fill(SECRETS[role]);
    await held.page.getByRole("button", { name: "Sign in" }).click();
  }

  test("asks a stranger to sign in, and says so of a wrong token", async () => {
    const sent = await fetch(`${held.product.url}/api/v1/ingest/auto?run=night-1&name=night-1.jsonl`, {
      method: "POST",
      headers: { authorization: `Bearer ${SECRETS.ingest}` },
      body: ROW,
    });
    expect(sent.status).toBe(200);
    await open(held.page, `${held.product.url}/ingest`);
    await held.page.waitForURL(/\/sign-in\?next=/);
    await held.page.getByLabel("Token").fill("none of them");
    await held.page.getByRole("button", { name: "Sign in" }).click();
    await held.page.getByText("is none of this server's tokens").waitFor();
  });

  test("leads a viewer to the page asked for, who may look and not take back", async () => {
    await signIn("viewer");
    await held.page.waitForURL(/\/ingest$/);
    await held.page.getByRole("table", { name: "Deliveries" }).getByText("night-1.jsonl").waitFor();
    await held.page.getByText("viewer-one, viewer").waitFor();
    await held.page.getByRole("button", { name: "Take back night-1.jsonl" }).click();
    await held.page.getByRole("dialog").getByText("needs the role operator").waitFor();
    await held.page.keyboard.press("Escape");
  });

  test("signs out: the pages are closed again", async () => {
    await held.page.getByRole("button", { name: "Sign out" }).click();
    await held.page.waitForURL(/\/sign-in/);
    await open(held.page, `${held.product.url}/runs`);
    await held.page.waitForURL(/\/sign-in\?next=%2Fruns/);
  });

  test("lets an operator take a delivery back, after saying how much that is", async () => {
    await signIn("operator");
    await held.page.waitForURL(/\/runs$/);
    await open(held.page, `${held.product.url}/ingest`);
    await held.page.getByRole("button", { name: "Take back night-1.jsonl" }).click();
    const dialog = held.page.getByRole("dialog");
    await dialog.getByText(/1 rollout/).waitFor();
    await dialog.getByRole("button", { name: /^(Remove|Take back)/ }).click();
    await held.page.getByText("Nothing was delivered yet.").waitFor();
  });
});
