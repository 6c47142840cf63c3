import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import { CHROMIUM, open, visit } from "./browser";
import { reading } from "./reading";

const LOADS_WITHIN = 180_000;

describe.skipIf(CHROMIUM === null)("an empty store, then the demo fleet", () => {
  const held = reading();

  /** Rows of a table's body, by the table's name. */
  function rows(name: RegExp): Locator {
    return held.page.getByRole("table", { name }).locator("tbody tr");
  }

  test("the first page says how to send data, and loads the demo fleet with one click", async () => {
    await open(held.page, held.product.url);
    await held.page.getByText("coalmine ingest").first().waitFor();
    await held.page.getByRole("button", { name: "Load the demo fleet" }).click();
    await held.page.getByText("63 of 674").first().waitFor({ timeout: LOADS_WITHIN });
    expect(
      await held.page
        .getByText(/demo data/i)
        .first()
        .isVisible(),
    ).toBe(true);
  });

  test.each([
    ["2Gi requests = limits", "41/316 · 9.7–17.1 %", "13.0 %"],
    ["8Gi limits, 2Gi requests", "19/288 · 4.3–10.1 %", "6.6 %"],
    ["8Gi limits, keep-alive 3 s, health-checked create", "3/70 · 1.5–11.9 %", "4.3 %"],
  ])("the list of runs shows %s with %s", async (name, size, share) => {
    await open(held.page, `${held.product.url}/runs`);
    const row = rows(/^Runs/).filter({ hasText: name });
    expect(await row.textContent()).toContain(size);
    expect(await row.textContent()).toContain(share);
  });

  test("the baseline says in one sentence what was lost, and its numbers lead to the rows", async () => {
    await open(held.page, `${held.product.url}/runs`);
    await held.page.getByRole("link", { name: "2Gi requests = limits", exact: true }).click();
    const sentence = held.page.getByRole("heading", { level: 1 });
    await sentence
      .filter({ hasText: "41 of 316 rollouts were lost to infrastructure: 13.0 % (9.7–17.1 %)." })
      .waitFor();
    expect(await sentence.textContent()).toMatch(/27 of them ran out of memory at 2\sGiB\./);

    await held.page.getByRole("link", { name: "41 lost rollouts" }).click();
    await held.page.waitForURL(/verdict=infra_failed/);
    await expect.poll(() => rows(/^Rollouts of/).count()).toBe(41);

    const killed = held.page.getByRole("row", { name: /pod\.oom_killed/ }).getByRole("link", { name: "27" });
    await killed.click();
    await held.page.waitForURL(/class=pod\.oom_killed/);
    await expect.poll(() => rows(/^Rollouts of/).count()).toBe(27);
  });

  test("a row opens the rollout's evidence from every source, and Escape closes it", async () => {
    await rows(/^Rollouts of/)
      .first()
      .getByRole("link")
      .first()
      .click();
    const panel = held.page.getByRole("dialog");
    await panel.getByText("OOMKilled").first().waitFor();
    expect(await panel.textContent()).toMatch(/gpu-pool-\d\d/);
    await held.page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
  });

  test("the later run's three losses are all on one node with nine rollouts", async () => {
    await open(held.page, `${held.product.url}/nodes?run=swe-8gi-bounded`);
    const hit = held.page.getByRole("row", { name: /gpu-pool-31/ }).first();
    expect(await hit.textContent()).toContain("3/9");
    await open(held.page, `${held.product.url}/runs/swe-8gi-bounded`);
    const lost = rows(/^Rollouts of/);
    await expect.poll(() => lost.count()).toBe(3);
    for (const text of await lost.allTextContents()) expect(text).toContain("gpu-pool-31");
    const sweep = held.page.getByRole("region", { name: "Exec sweep" });
    expect(await sweep.textContent()).toContain("CommandExecError: 1");
    expect(await sweep.textContent()).toMatch(/101[\s\S]*92/);
  });

  test("on a narrow screen a row still says verdict, node and reward", async () => {
    const phone = await visit(held.browser, { width: 390 });
    await open(phone.page, `${held.product.url}/runs/swe-8gi-bounded`);
    const row = phone.page
      .getByRole("table", { name: /^Rollouts of/ })
      .locator("tbody tr")
      .first();
    await row.waitFor();
    for (const said of ["Lost", "gpu-pool-31", "reward 0"]) {
      expect([said, await row.getByText(said).filter({ visible: true }).count()]).toEqual([said, 1]);
    }
    await phone.context.close();
  });

  test("what the address says is what is shown: a link from a chat opens the same rows", async () => {
    const other = await visit(held.browser);
    await open(other.page, `${held.product.url}/runs/swe-2gi?verdict=all&class=proxy.bind_race`);
    const shown = other.page.getByRole("table", { name: /^Rollouts of/ }).locator("tbody tr");
    await expect.poll(() => shown.count()).toBe(5);
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  test("no page complained", () => {
    expect(held.reader.complaints).toEqual([]);
  });
});
