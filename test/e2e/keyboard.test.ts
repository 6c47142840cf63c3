import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, open, settled, visited } from "./browser";
import { withDemo } from "./demo-fleet";
import { reading } from "./reading";

/** More than any page holds before what is looked for. */
const MOST_TABS = 150;

/** Does the focus show: an outline of the element itself, or of what stands around it? */
function focusShows(): boolean {
  const focused = document.activeElement;
  const outlined = (element: Element | null | undefined) => {
    if (!element) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0;
  };
  return outlined(focused) || outlined(focused?.parentElement);
}

/** Goes to `target` by the Tab key alone; each stop on the way must show. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: "attached" });
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    await page.keyboard.press("Tab");
    const where = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
    await expect.poll(() => page.evaluate(focusShows), { message: where, timeout: 5_000 }).toBe(true);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`not reached by ${MOST_TABS} tabs`);
}

describe.skipIf(CHROMIUM === null)("without a mouse", () => {
  const held = reading();
  beforeAll(() => withDemo(held.product.url));

  test("from the overview to the evidence of a lost rollout, and back, by Tab, Enter and Escape", () =>
    visited(held.browser, async ({ page }) => {
      await open(page, held.product.url);
      await tabTo(page, page.getByRole("link", { name: "Skip to the content" }));
      await page.keyboard.press("Enter");
      await tabTo(page, page.getByRole("link", { name: "2Gi requests = limits", exact: true }).first());
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/runs\/swe-2gi$/);
      await settled(page);

      await tabTo(page, page.getByRole("link", { name: "41 lost rollouts" }));
      await page.keyboard.press("Enter");
      await page.waitForURL(/verdict=infra_failed/);
      const row = page
        .getByRole("table", { name: /^Rollouts of/ })
        .locator("tbody tr")
        .first();
      const task = row.getByRole("link").first();
      await tabTo(page, task);
      await page.keyboard.press("Enter");
      const panel = page.getByRole("dialog");
      await panel
        .getByText(/gpu-pool-\d\d/)
        .first()
        .waitFor();

      await tabTo(page, panel.getByRole("link").first());
      await page.keyboard.press("Escape");
      await panel.waitFor({ state: "hidden" });
      await expect.poll(() => task.evaluate((element) => element === document.activeElement)).toBe(true);
    }));

  test("g r opens the runs, j and Enter a row, ? the help", () =>
    visited(held.browser, async ({ page }) => {
      await open(page, held.product.url);
      await page.keyboard.press("g");
      await page.keyboard.press("r");
      await page.waitForURL(/\/runs$/);
      await settled(page);
      await page.keyboard.press("?");
      const help = page.getByRole("dialog");
      await help.waitFor();
      await page.keyboard.press("Escape");
      await help.waitFor({ state: "hidden" });
      await page.keyboard.press("j");
      await page.locator("[data-row]:focus").waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/runs\/.+/);
    }));
});
