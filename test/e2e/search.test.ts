import { beforeAll, describe, expect, test } from "vitest";
import { barriers, barriersInBothThemes, CHROMIUM, fits, open, PHONE, visited } from "./browser";
import { lostRollout, withDemo } from "./demo-fleet";
import { reading } from "./reading";

describe.skipIf(CHROMIUM === null)("searching raw lines", () => {
  const held = reading();
  beforeAll(() => withDemo(held.product.url));
  const send = (body: string, query = "?run=exp-1&source=harness.log") =>
    fetch(`${held.product.url}/api/v1/ingest/auto${query}`, { method: "POST", body });

  test("g s leads there, / to the field; a line found opens to its neighbours", () =>
    visited(held.browser, async ({ page }) => {
      await open(page, `${held.product.url}/runs`);
      await page.keyboard.press("g");
      await page.keyboard.press("s");
      await page.waitForURL(/\/search$/);
      await page.getByRole("searchbox").waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("CommandExecError");
      await page.waitForURL(/q=CommandExecError/);
      const lines = page.getByRole("list", { name: "Lines found" });
      await expect
        .poll(() => lines.getByRole("listitem").first().locator("mark").first().textContent())
        .toBe("CommandExecError");
      await expect.poll(() => lines.getByText("made up").count()).toBeGreaterThan(0);
      await lines.getByRole("button", { name: "Show the lines around" }).first().click();
      const around = page.getByRole("list", { name: "The line and its neighbours" });
      await around.locator("[aria-current]").getByText("CommandExecError").waitFor();
      await expect.poll(() => around.getByRole("listitem").count()).toBeGreaterThan(1);
      expect(await barriers(page)).toEqual([]);
    }));

  test("says so when nothing matches, and why something cannot be looked up", () =>
    visited(held.browser, async ({ page, complaints }) => {
      await open(page, `${held.product.url}/search?q=surelyabsent`);
      await page.getByText("No line matches.").waitFor();
      await open(page, `${held.product.url}/search?q=ab`);
      await page.getByText("This cannot be looked up.").waitFor();
      await page.getByText("Give a word of at least three letters or digits").waitFor();
      // The browser itself complains of the answer's status.
      expect(complaints.splice(0).filter((line) => !line.includes("400"))).toEqual([]);
    }));

  test("reads along: what comes appears by itself, and waits while something is being read", () =>
    visited(held.browser, async ({ page }) => {
      const word = `zebra${Date.now()}`;
      await open(page, `${held.product.url}/search?q=${word}&live=true`);
      await page.getByText("Following: lines appear as they come.").waitFor();
      await send(`2026-11-27 10:00:00 INFO harness: ${word} one\n`);
      const lines = page.getByRole("list", { name: "Lines found" });
      await lines.getByText("one").waitFor();
      await lines.getByRole("listitem").first().hover();
      await send(`2026-11-27 10:00:01 INFO harness: ${word} two\n2026-11-27 10:00:01 INFO harness: lion ${word}s\n`);
      const news = page.getByRole("button", { name: "1 new line" });
      await news.waitFor();
      expect(await lines.getByRole("listitem").count()).toBe(1);
      await news.click();
      await expect
        .poll(() => lines.getByRole("listitem").allInnerTexts())
        .toEqual([expect.stringContaining("two"), expect.stringContaining("one")]);
      expect(await barriers(page)).toEqual([]);
    }));

  test("shows log text as text", () =>
    visited(held.browser, async ({ page }) => {
      await send(`2026-11-27 10:00:02 ERROR harness: giraffe <img src=x onerror="document.title='bad'"> <b>x</b>\n`);
      await open(page, `${held.product.url}/search?q=giraffe`);
      await page.getByText(`giraffe <img src=x onerror="document.title='bad'"> <b>x</b>`).waitFor();
      expect(await page.title()).toBe("Search · Coalmine");
    }));

  test("leads from a rollout's evidence to its raw line and the search around it", () =>
    visited(held.browser, async ({ page }) => {
      await open(page, `${held.product.url}/rollouts/${await lostRollout(held.product.url)}`);
      await page.getByRole("button", { name: "Unfold all" }).click();
      for (const button of await page.getByRole("button", { name: "Raw line and its neighbours" }).all())
        await button.click();
      const around = page.getByRole("list", { name: "The line and its neighbours" });
      await around.first().waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.getByRole("link", { name: "Search around this time" }).first().click();
      await page.waitForURL(/\/search\?.*from=.*&to=/);
      await page.getByRole("list", { name: "Lines found" }).waitFor();
    }));

  test("a page that is looked at follows the data, and says so first to someone who reads", () =>
    visited(held.browser, async ({ page }) => {
      await open(page, `${held.product.url}/ingest`);
      const rows = page.getByRole("table", { name: "Deliveries" }).locator("tbody tr");
      const before = await rows.count();
      await send(`2026-11-27 10:00:03 INFO harness: first ${Date.now()}\n`);
      await expect.poll(() => rows.count()).toBe(before + 1);
      // In the middle: a line more above the table does not take the pointer out of it.
      await rows.nth(4).hover();
      await send(`2026-11-27 10:00:04 INFO harness: second ${Date.now()}\n`);
      await page.getByRole("button", { name: "There is newer data: show it" }).click();
      // The first delivery may have told of more by itself; away from the table, what comes is shown unasked.
      await page.mouse.move(0, 0);
      await expect.poll(() => rows.count()).toBe(before + 2);
    }));

  test("has no barrier with lines in either theme on a narrow screen, and fits it", () =>
    visited(
      held.browser,
      async ({ page }) => {
        await open(page, `${held.product.url}/search?run=swe-2gi`);
        await page.getByRole("list", { name: "Lines found" }).waitFor();
        await page.getByRole("button", { name: "Show the lines around" }).first().click();
        await page.getByRole("list", { name: "The line and its neighbours" }).waitFor();
        expect(await barriersInBothThemes(page)).toEqual([]);
        await fits(page);
      },
      { width: PHONE.width },
    ));
});
