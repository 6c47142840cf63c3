import { readdirSync } from "node:fs";
import { join, posix } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { List, RolloutAnswer } from "@/server/domain/answers";
import { root } from "@/test/architecture/sources";
import { type Product, startProduct } from "@/test/support/server";
import { barriers, CHROMIUM, launch, open, visit } from "./browser";

/** Every page there is, by its folder: `/runs/[run]`. A new page is tested without being named here. */
function pagesIn(folder = "", at = "/"): string[] {
  return readdirSync(join(root, "app", folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "page.tsx") return [at];
    if (!entry.isDirectory() || entry.name.startsWith("_") || entry.name === "api") return [];
    return pagesIn(posix.join(folder, entry.name), posix.join(at, entry.name));
  });
}

const PAGES = CHROMIUM === null ? [] : pagesIn();
const THEMES = ["light", "dark"] as const;

describe.skipIf(CHROMIUM === null)("every page", () => {
  let product: Product;
  let browser: Browser;
  let rollout = "";

  beforeAll(async () => {
    [product, browser] = await Promise.all([startProduct(), launch()]);
    await fetch(`${product.url}/api/v1/demo`, { method: "POST" });
    const lost = await fetch(`${product.url}/api/v1/runs/swe-2gi/rollouts?verdict=infra_failed&limit=1`);
    rollout = ((await lost.json()) as List<RolloutAnswer>).items[0]?.id ?? "";
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  /** A page's folder with something of the demo fleet in its place. */
  function filled(path: string): string {
    const values: Record<string, string> = { "[run]": "swe-2gi", "[id]": rollout, "[node]": "gpu-pool-31" };
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
