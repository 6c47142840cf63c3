import { describe, expect, test } from "vitest";
import { demoDeliveries } from "@/server/demo/demo-fleet";
import { CHROMIUM, open } from "./browser";
import { reading } from "./reading";

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
  const held = reading();

  test("files are sent from the page, each with what was read of it", async () => {
    await open(held.page, `${held.product.url}/ingest`);
    await held.page.getByRole("textbox", { name: "Run" }).fill("night-7");
    const files = filesToSend();
    await held.page.getByLabel("Choose files").setInputFiles(files);
    const table = held.page.getByRole("table", { name: /deliveries/i });
    for (const { name } of files) await table.getByText(name).first().waitFor({ timeout: 120_000 });
  });

  test("the run's page names the losses, and its node", async () => {
    await open(held.page, `${held.product.url}/runs/night-7`);
    await held.page.getByRole("heading", { level: 1 }).filter({ hasText: "3 of 70" }).waitFor();
    await held.page
      .getByRole("row", { name: /gpu-pool-31/ })
      .filter({ hasText: "3/9" })
      .first()
      .waitFor();
  });

  test("the node's number leads to its rows", async () => {
    await open(held.page, `${held.product.url}/runs/night-7`);
    const byNode = held.page.getByRole("region", { name: "By node" });
    await byNode.getByRole("link", { name: "All rollouts on gpu-pool-31" }).click();
    await held.page.waitForURL(/gpu-pool-31/);
    await expect
      .poll(() =>
        held.page
          .getByRole("table", { name: /^Rollouts of/ })
          .locator("tbody tr")
          .count(),
      )
      .toBe(9);

    await open(held.page, `${held.product.url}/runs/night-7`);
    await byNode.getByRole("link", { name: "gpu-pool-31", exact: true }).click();
    await held.page.waitForURL(/\/nodes\/gpu-pool-31/);
    await held.page.getByRole("heading", { level: 1 }).filter({ hasText: "gpu-pool-31" }).waitFor();
  });

  test("a file that cannot be read is said so, and the page goes on", async () => {
    await open(held.page, `${held.product.url}/ingest`);
    const torn = Buffer.from('{"_ng_task_index":0,"_ng_rollout_index":0,"reward":1}\n{"_ng_task_index":1,"_ng_r');
    await held.page
      .getByLabel("Choose files")
      .setInputFiles([{ name: "torn.jsonl", mimeType: "text/plain", buffer: torn }]);
    const row = held.page.getByRole("row", { name: /torn\.jsonl/ }).first();
    await row.waitFor({ timeout: 120_000 });
    expect(held.reader.complaints).toEqual([]);
  });
});
