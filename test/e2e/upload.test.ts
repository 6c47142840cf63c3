import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoDeliveries } from "@/server/demo/demo-fleet";
import { type Product, startProduct } from "@/test/support/server";
import { CHROMIUM, launch, open, type Visit, visit } from "./browser";

/** The later run's files, as if they were a fleet of the reader's own. */
function filesToSend(): { name: string; mimeType: string; buffer: Buffer }[] {
  const own = demoDeliveries().filter((delivery) => delivery.params.run === "swe-8gi-bounded");
  return own.map(({ name, bytes }) => ({
    name: name.slice(name.indexOf("/") + 1),
    mimeType: "application/octet-stream",
    buffer: Buffer.from(bytes),
  }));
}

describe.skipIf(CHROMIUM === null)("from files to the node that lost the rollouts", () => {
  let product: Product;
  let browser: Browser;
  let reader: Visit;
  let page: Page;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startProduct(), launch()]);
    reader = await visit(browser);
    page = reader.page;
  });
  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  test("files are sent from the page, each with what was read of it", async () => {
    await open(page, `${product.url}/ingest`);
    await page.getByRole("textbox", { name: "Run" }).fill("night-7");
    const files = filesToSend();
    await page.getByLabel("Choose files").setInputFiles(files);
    const table = page.getByRole("table", { name: /deliveries/i });
    for (const { name } of files) await table.getByText(name).first().waitFor({ timeout: 120_000 });
  });

  test("the run's page names the losses, and its node", async () => {
    await open(page, `${product.url}/runs/night-7`);
    await page.getByRole("heading", { level: 1 }).filter({ hasText: "3 of 70" }).waitFor();
    const node = page.getByRole("row", { name: /gpu-pool-31/ }).first();
    expect(await node.textContent()).toContain("3/9");
  });

  test("the node's number leads to its rows", async () => {
    const byNode = page.getByRole("region", { name: "By node" });
    await byNode.getByRole("link", { name: "All rollouts on gpu-pool-31" }).click();
    await page.waitForURL(/gpu-pool-31/);
    await expect
      .poll(() =>
        page
          .getByRole("table", { name: /^Rollouts of/ })
          .locator("tbody tr")
          .count(),
      )
      .toBe(9);

    await open(page, `${product.url}/runs/night-7`);
    await byNode.getByRole("link", { name: "gpu-pool-31", exact: true }).click();
    await page.waitForURL(/\/nodes\/gpu-pool-31/);
    await page.getByRole("heading", { level: 1 }).filter({ hasText: "gpu-pool-31" }).waitFor();
  });

  test("a file that cannot be read is said so, and the page goes on", async () => {
    await open(page, `${product.url}/ingest`);
    const torn = Buffer.from('{"_ng_task_index":0,"_ng_rollout_index":0,"reward":1}\n{"_ng_task_index":1,"_ng_r');
    await page.getByLabel("Choose files").setInputFiles([{ name: "torn.jsonl", mimeType: "text/plain", buffer: torn }]);
    const row = page.getByRole("row", { name: /torn\.jsonl/ }).first();
    await row.waitFor({ timeout: 60_000 });
    expect(reader.complaints).toEqual([]);
  });
});
