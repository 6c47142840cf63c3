import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, visited } from "./browser";
import { lostRollout, withDemo } from "./demo-fleet";
import { reading } from "./reading";

const SECRET = "viewer-secret-early-01";

/** Opens a page whose scripts are still under way. Resolves to what lets them come. */
async function openWithoutScripts(page: Page, url: string): Promise<() => void> {
  let come = (): void => {};
  const asked = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route("**/_next/static/**/*.js", async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto(url, { waitUntil: "domcontentloaded" });
  return come;
}

describe.skipIf(CHROMIUM === null)("what is done before the page's scripts are there", () => {
  const held = reading();
  beforeAll(() => withDemo(held.product.url));

  test("a button is pressed once, however often it was clicked", () =>
    visited(held.browser, async ({ page }) => {
      const rollout = await lostRollout(held.product.url);
      const come = await openWithoutScripts(page, `${held.product.url}/rollouts/${rollout}`);
      const unfold = page.getByRole("button", { name: "Unfold all", exact: true });
      await unfold.click();
      await unfold.click();
      come();
      await page.getByRole("button", { name: "Fold all", exact: true }).waitFor();
    }));

  test("a box that was ticked is ticked, and a text that was typed filters", () =>
    visited(held.browser, async ({ page }) => {
      const come = await openWithoutScripts(page, `${held.product.url}/runs`);
      const box = page.getByRole("checkbox", { name: "Compare 8Gi limits, 2Gi requests", exact: true });
      const field = page.getByRole("searchbox");
      await box.click();
      await field.pressSequentially("8Gi");
      come();
      await page.waitForURL(/(?=.*pick=swe-8gi(&|$))(?=.*text=8Gi)/);
      await page.getByText("2 runs", { exact: true }).waitFor();
      expect([await box.isChecked(), await field.inputValue()]).toEqual([true, "8Gi"]);
    }));

  test("keys of the page lead where they lead", () =>
    visited(held.browser, async ({ page }) => {
      const come = await openWithoutScripts(page, held.product.url);
      await page.keyboard.press("g");
      await page.keyboard.press("r");
      come();
      await page.waitForURL(/\/runs$/);
    }));
});

describe.skipIf(CHROMIUM === null)("a token that is given before the page's scripts are there", () => {
  const held = reading({ env: { COALMINE_TOKENS: `viewer-one:viewer:${SECRET}` } });

  test.each(["Enter", "the button"])("signs in by %s, and stands in no address", (by) =>
    visited(held.browser, async ({ page }) => {
      const addresses: string[] = [];
      page.on("request", (request) => addresses.push(request.url()));
      const come = await openWithoutScripts(page, `${held.product.url}/runs`);
      await page.getByLabel("Token").fill(SECRET);
      if (by === "Enter") await page.keyboard.press("Enter");
      else await page.getByRole("button", { name: "Sign in" }).click();
      come();
      await page.waitForURL(/\/runs$/);
      expect(addresses.filter((address) => address.includes(SECRET))).toEqual([]);
    }),
  );
});
