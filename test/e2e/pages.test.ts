import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { CanarySummary } from "@/server/domain/canary";
import { root } from "@/test/architecture/sources";
import type { ProductOptions } from "@/test/support/server";
import { type StandIn, startStandIn } from "@/test/support/stand-in/server";
import { barriersInBothThemes, CHROMIUM, fits, open, PHONE, settled, visit, visited } from "./browser";
import { lostRollout, withDemo } from "./demo-fleet";
import { reading } from "./reading";

/** Every page there is, by its folder: `/runs/[run]`. A new page is tested without being named here. */
function pagesIn(folder = "", at = "/"): string[] {
  return readdirSync(join(root, "app", folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "page.tsx") return [at];
    if (!entry.isDirectory() || entry.name.startsWith("_") || entry.name === "api") return [];
    return pagesIn(posix.join(folder, entry.name), posix.join(at, entry.name));
  });
}

/** Runs one cycle on the stand-in to its end. Returns its id. */
async function smoke(url: string): Promise<string> {
  const init = { method: "POST", headers: { "content-type": "application/json" } };
  const body = JSON.stringify({ target: "stand-in", plan: "smoke" });
  const { id } = (await (await fetch(`${url}/api/v1/canaries`, { ...init, body })).json()) as CanarySummary;
  const ended = async (): Promise<boolean> => {
    const one = (await (await fetch(`${url}/api/v1/canaries/${id}`)).json()) as CanarySummary;
    return one.endedAt !== null;
  };
  await vi.waitUntil(ended, { timeout: 120_000, interval: 200 });
  return id;
}

const PAGES = CHROMIUM === null ? [] : pagesIn();

describe.skipIf(CHROMIUM === null)("every page", () => {
  let sandboxes: StandIn;
  let rollout = "";
  let canary = "";
  const folder = mkdtempSync(join(tmpdir(), "coalmine-pages-"));
  const options: ProductOptions = {};

  beforeAll(async () => {
    sandboxes = await startStandIn();
    const config = join(folder, "coalmine.config.yaml");
    writeFileSync(config, `targets:\n  - name: stand-in\n    baseUrl: ${sandboxes.url}\n`);
    options.env = { COALMINE_CONFIG: config };
  });
  const held = reading(options);
  beforeAll(async () => {
    await withDemo(held.product.url);
    rollout = await lostRollout(held.product.url);
    canary = await smoke(held.product.url);
  });
  afterAll(async () => {
    await sandboxes?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A page's folder with something of the demo fleet in its place. */
  function filled(path: string): string {
    const values: Record<string, string> = {
      "[run]": "swe-2gi",
      "[rollout]": rollout,
      "[node]": "gpu-pool-31",
      "[id]": canary,
    };
    const query = path === "/compare" ? "?baseline=swe-2gi&candidate=swe-8gi" : "";
    return held.product.url + path.replace(/\[\w+\]/g, (name) => values[name] ?? name) + query;
  }

  test.each(PAGES)("%s fits 390 pixels and twice the size, has no barrier in either theme, and no complaint", (path) =>
    visited(
      held.browser,
      async ({ page }) => {
        await open(page, filled(path));
        await fits(page);
        await settled(page);
        expect(await barriersInBothThemes(page)).toEqual([]);
      },
      { width: PHONE.width },
    ),
  );

  test("the evidence of a rollout has no barrier in either theme", () =>
    visited(held.browser, async ({ page }) => {
      await open(page, `${held.product.url}/runs/swe-2gi`);
      const rows = page.getByRole("table", { name: /^Rollouts of/ }).locator("tbody tr");
      await rows.first().getByRole("link").first().click();
      await page.getByRole("dialog").getByText("gpu-pool").first().waitFor();
      expect(await barriersInBothThemes(page)).toEqual([]);
    }));

  test.each([
    ["/runs/no-such-run", "There is no run “no-such-run”.", "/runs"],
    ["/rollouts/no-such-rollout", "There is no rollout “no-such-rollout”.", "/runs"],
    ["/nodes/no-such-node", "There is no node “no-such-node”.", "/nodes"],
    ["/canaries/c-no-such", "There is no canary “c-no-such”.", "/canaries"],
    ["/no/such/page", "There is nothing here.", "/runs"],
  ])("%s is a page that says so with status 404, and leads on", async (path, said, onward) => {
    // The browser itself complains of the status.
    const { context, page } = await visit(held.browser);
    const answer = await page.goto(held.product.url + path);
    expect(answer?.status()).toBe(404);
    await page.getByRole("heading", { level: 1, name: said, exact: true }).waitFor();
    await settled(page);
    expect(await barriersInBothThemes(page)).toEqual([]);
    await page
      .getByRole("main")
      .getByRole("link")
      .and(page.locator(`[href="${onward}"]`))
      .last()
      .click();
    await page.waitForURL((url) => url.pathname === onward);
    await page.getByRole("heading", { level: 1 }).filter({ hasNotText: said }).waitFor();
    await context.close();
  });
});
