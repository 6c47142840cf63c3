import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { List, RolloutAnswer } from "@/server/domain/answers";
import type { CanarySummary } from "@/server/domain/canary";
import { root } from "@/test/architecture/sources";
import { type Product, startProduct } from "@/test/support/server";
import { type StandIn, startStandIn } from "@/test/support/stand-in/server";
import { barriers, CHROMIUM, launch, open, visit } from "./browser";

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
  await vi.waitUntil(ended, { timeout: 60_000, interval: 500 });
  return id;
}

const PAGES = CHROMIUM === null ? [] : pagesIn();
const THEMES = ["light", "dark"] as const;

describe.skipIf(CHROMIUM === null)("every page", () => {
  let product: Product;
  let browser: Browser;
  let sandboxes: StandIn;
  let rollout = "";
  let canary = "";
  const folder = mkdtempSync(join(tmpdir(), "coalmine-pages-"));

  beforeAll(async () => {
    sandboxes = await startStandIn();
    const config = join(folder, "coalmine.config.yaml");
    writeFileSync(config, `targets:\n  - name: stand-in\n    baseUrl: ${sandboxes.url}\n`);
    [product, browser] = await Promise.all([startProduct({ env: { COALMINE_CONFIG: config } }), launch()]);
    await fetch(`${product.url}/api/v1/demo`, { method: "POST" });
    const lost = await fetch(`${product.url}/api/v1/runs/swe-2gi/rollouts?verdict=infra_failed&limit=1`);
    rollout = ((await lost.json()) as List<RolloutAnswer>).items[0]?.id ?? "";
    canary = await smoke(product.url);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await product?.remove();
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
    return product.url + path.replace(/\[\w+\]/g, (name) => values[name] ?? name) + query;
  }

  test.each(PAGES.flatMap((path) => THEMES.map((theme) => [path, theme] as const)))(
    "%s has no barrier and no complaint in the %s theme",
    async (path, theme) => {
      const { context, page, complaints } = await visit(browser, { theme });
      await open(page, filled(path));
      expect(await barriers(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    },
  );

  test.each(PAGES)("%s fits a width of 390 pixels", async (path) => {
    const { context, page } = await visit(browser, { width: 390 });
    await open(page, filled(path));
    const { scroll, width } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      width: document.documentElement.clientWidth,
    }));
    expect(scroll).toBeLessThanOrEqual(width);
    await context.close();
  });

  test.each(THEMES)("the evidence of a rollout has no barrier in the %s theme", async (theme) => {
    const { context, page, complaints } = await visit(browser, { theme });
    await open(page, `${product.url}/runs/swe-2gi`);
    const rows = page.getByRole("table", { name: /^Rollouts of/ }).locator("tbody tr");
    await rows.first().getByRole("link").first().click();
    await page.getByRole("dialog").getByText("gpu-pool").first().waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("keys lead from page to page: g r opens the runs, ? the help", async () => {
    const { context, page, complaints } = await visit(browser);
    await open(page, product.url);
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.waitForURL(/\/runs$/);
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
