import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, open, PHONE, visited } from "./browser";
import { withDemo, withoutDemo } from "./demo-fleet";
import { reading } from "./reading";

const LOADS_WITHIN = 240_000;

describe.skipIf(CHROMIUM === null)("an empty store, then the demo fleet", () => {
  const held = reading();

  test("the first page says how to send data, and loads the demo fleet with one click", async () => {
    await withoutDemo(held.product.url);
    await open(held.page, held.product.url);
    await held.page.getByText("coalmine ingest").first().waitFor();
    await held.page.getByRole("button", { name: "Load the demo fleet" }).click();
    await held.page.getByText("63 of 674").first().waitFor({ timeout: LOADS_WITHIN });
    await held.page
      .getByText(/demo data/i)
      .first()
      .waitFor();
    expect(held.reader.complaints).toEqual([]);
  });
});

describe.skipIf(CHROMIUM === null)("the demo fleet", () => {
  const held = reading();
  beforeAll(() => withDemo(held.product.url));

  /** Rows of a table's body, by the table's name. */
  function rows(name: RegExp): Locator {
    return held.page.getByRole("table", { name }).locator("tbody tr");
  }

  test.each([
    ["2Gi requests = limits", "41/316 · 9.7–17.1 %", "13.0 %"],
    ["8Gi limits, 2Gi requests", "19/288 · 4.3–10.1 %", "6.6 %"],
    ["8Gi limits, keep-alive 3 s, health-checked create", "3/70 · 1.5–11.9 %", "4.3 %"],
  ])("the list of runs shows %s with %s", async (name, size, share) => {
    await open(held.page, `${held.product.url}/runs`);
    await rows(/^Runs/).filter({ hasText: name }).filter({ hasText: size }).filter({ hasText: share }).waitFor();
  });

  test("the baseline says in one sentence what was lost, and its numbers lead to the rows", async () => {
    await open(held.page, `${held.product.url}/runs`);
    await held.page.getByRole("link", { name: "2Gi requests = limits", exact: true }).click();
    const sentence = held.page.getByRole("heading", { level: 1 });
    await sentence
      .filter({ hasText: "41 of 316 rollouts were lost to infrastructure: 13.0 % (9.7–17.1 %)." })
      .waitFor();
    await sentence.filter({ hasText: /27 of them ran out of memory at 2\sGiB\./ }).waitFor();

    await held.page.getByRole("link", { name: "41 lost rollouts" }).click();
    await held.page.waitForURL(/verdict=infra_failed/);
    await expect.poll(() => rows(/^Rollouts of/).count()).toBe(41);

    const killed = held.page.getByRole("row", { name: /pod\.oom_killed/ }).getByRole("link", { name: "27" });
    await killed.click();
    await held.page.waitForURL(/class=pod\.oom_killed/);
    await expect.poll(() => rows(/^Rollouts of/).count()).toBe(27);
  });

  test("a row opens the rollout's evidence from every source, and Escape closes it", async () => {
    await open(held.page, `${held.product.url}/runs/swe-2gi?class=pod.oom_killed`);
    await rows(/^Rollouts of/)
      .first()
      .getByRole("link")
      .first()
      .click();
    const panel = held.page.getByRole("dialog");
    await panel.getByText("OOMKilled").first().waitFor();
    await panel
      .getByText(/gpu-pool-\d\d/)
      .first()
      .waitFor();
    await held.page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
  });

  test("the later run's three losses are all on one node with nine rollouts", async () => {
    await open(held.page, `${held.product.url}/nodes?run=swe-8gi-bounded`);
    await held.page
      .getByRole("row", { name: /gpu-pool-31/ })
      .filter({ hasText: "3/9" })
      .first()
      .waitFor();
    await open(held.page, `${held.product.url}/runs/swe-8gi-bounded`);
    const lost = rows(/^Rollouts of/);
    const onOneNode = Array.from({ length: 3 }, () => expect.stringContaining("gpu-pool-31"));
    await expect.poll(() => lost.allTextContents()).toEqual(onOneNode);
    const sweep = held.page.getByRole("region", { name: "Exec sweep" });
    await sweep
      .filter({ hasText: "CommandExecError: 1" })
      .filter({ hasText: /101[\s\S]*92/ })
      .waitFor();
  });

  test("on a narrow screen a row still says verdict, node and reward", () =>
    visited(
      held.browser,
      async ({ page }) => {
        await open(page, `${held.product.url}/runs/swe-8gi-bounded`);
        const row = page
          .getByRole("table", { name: /^Rollouts of/ })
          .locator("tbody tr")
          .first();
        for (const said of ["Lost", "gpu-pool-31", "reward 0"]) {
          await row.getByText(said).filter({ visible: true }).waitFor();
        }
      },
      { width: PHONE.width },
    ));

  test("what the address says is what is shown: a link from a chat opens the same rows", () =>
    visited(held.browser, async ({ page }) => {
      await open(page, `${held.product.url}/runs/swe-2gi?verdict=all&class=proxy.bind_race`);
      const shown = page.getByRole("table", { name: /^Rollouts of/ }).locator("tbody tr");
      await expect.poll(() => shown.count()).toBe(5);
    }));

  test("no page complained", () => {
    expect(held.reader.complaints).toEqual([]);
  });
});
