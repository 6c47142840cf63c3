import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { CHROMIUM, open, visited } from "./browser";
import { reading } from "./reading";

const SECRETS = { ingest: "sender-secret-e2e-01", viewer: "viewer-secret-e2e-01", operator: "operator-secret-e2e1" };
const TOKENS = Object.entries(SECRETS).map(([role, secret]) => `${role}-one:${role}:${secret}`);
const ROW = '{"_ng_task_index":1,"_ng_rollout_index":0,"reward":1}\n';

describe.skipIf(CHROMIUM === null)("a server with tokens", () => {
  const held = reading({ env: { COALMINE_TOKENS: TOKENS.join(",") } });

  beforeEach(async () => {
    const sent = await fetch(`${held.product.url}/api/v1/ingest/auto?run=night-1&name=night-1.jsonl`, {
      method: "POST",
      headers: { authorization: `Bearer ${SECRETS.ingest}` },
      body: ROW,
    });
    expect(sent.status).toBe(200);
  });

  /** A visit in which answers may be refused, as they are to whom may not have them or after what they are about is gone: the browser itself complains of each. */
  const stranger = (read: (page: Page) => Promise<void>): Promise<void> =>
    visited(held.browser, async ({ page, complaints }) => {
      await read(page);
      const others = complaints.splice(0).filter((line) => !/status of 40[134]/.test(line));
      complaints.push(...others);
    });

  /** Asks for a page as a stranger, and signs in when sent to do so. */
  async function signIn(page: Page, role: keyof typeof SECRETS, path: string): Promise<void> {
    await open(page, held.product.url + path);
    await page.waitForURL(/\/sign-in\?next=/);
    await page.getByLabel("Token").fill(SECRETS[role]);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL((url) => url.pathname === path);
  }

  test("asks a stranger to sign in, and says so of a wrong token", () =>
    stranger(async (page) => {
      await open(page, `${held.product.url}/ingest`);
      await page.waitForURL(/\/sign-in\?next=/);
      await page.getByLabel("Token").fill("none of them");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("is none of this server's tokens").waitFor();
    }));

  test("leads a viewer to the page asked for, who may look and not take back", () =>
    stranger(async (page) => {
      await signIn(page, "viewer", "/ingest");
      await page.getByRole("table", { name: "Deliveries" }).getByText("night-1.jsonl").waitFor();
      await page.getByText("viewer-one, viewer").waitFor();
      await page.getByRole("button", { name: "Take back night-1.jsonl" }).click();
      await page.getByRole("dialog").getByText("needs the role operator").waitFor();
    }));

  test("signs out: the pages are closed again", () =>
    stranger(async (page) => {
      await signIn(page, "viewer", "/ingest");
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL(/\/sign-in/);
      await open(page, `${held.product.url}/runs`);
      await page.waitForURL(/\/sign-in\?next=%2Fruns/);
    }));

  test("lets an operator take a delivery back, after saying how much that is", () =>
    stranger(async (page) => {
      await signIn(page, "operator", "/ingest");
      await page.getByRole("button", { name: "Take back night-1.jsonl" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText(/1 rollout/).waitFor();
      await dialog.getByRole("button", { name: /^(Remove|Take back)/ }).click();
      await page.getByText("Nothing was delivered yet.").waitFor();
    }));
});
