import { describe, expect, test, vi } from "vitest";
import { startProduct } from "@/test/support/server";
import { CHROMIUM, open, visit } from "./browser";
import { demoThere, runsOf, withDemo, withoutDemo } from "./demo-fleet";
import { reading } from "./reading";

describe.skipIf(CHROMIUM === null)("when something breaks in between", () => {
  const held = reading();

  test("a reader who leaves while the demo loads still leaves a whole one", async () => {
    const { url } = held.product;
    await withoutDemo(url);
    const leaver = await visit(held.browser);
    await open(leaver.page, url);
    const asked = leaver.page.waitForRequest(
      (request) => request.url().endsWith("/api/v1/demo") && request.method() === "POST",
    );
    await leaver.page.getByRole("button", { name: "Load the demo fleet" }).click();
    await asked;
    await vi.waitUntil(async () => (await runsOf(url)).length > 0, { timeout: 120_000, interval: 50 });
    await leaver.context.close();
    await demoThere(url);
    const lost = async () => (await runsOf(url)).map((run) => `${run.infraFailed?.k}/${run.infraFailed?.n}`).sort();
    await expect.poll(lost).toEqual(["19/288", "3/70", "41/316"]);
  });

  test("a question that the server did not answer says so, and Retry asks again once it is back", async () => {
    const { page } = held;
    await withDemo(held.product.url);
    await open(page, `${held.product.url}/runs/swe-8gi-bounded?verdict=all`);
    const rows = page.getByRole("table", { name: /^Rollouts of/ }).locator("tbody tr");
    await rows.first().waitFor();
    const { port, dataDir } = held.product;
    await held.product.stop();
    const alert = page.getByRole("alert").filter({ hasText: "The rollouts could not be read." });
    try {
      await page.getByRole("searchbox", { name: "Task or error holds" }).fill("django");
      await alert.filter({ hasText: "The server could not be reached." }).waitFor();
    } finally {
      held.product = await startProduct({ port, dataDir });
    }
    await alert.getByRole("button", { name: "Retry" }).click();
    const others = async (): Promise<string[]> =>
      (await rows.allTextContents()).filter((text) => !text.includes("django"));
    await rows.filter({ hasText: "django" }).first().waitFor();
    await expect.poll(others).toEqual([]);
  });

  test("an address that cannot be read is a page that says so, not a fault", async () => {
    const answer = await fetch(`${held.product.url}/runs/%ff`);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("cannot be read")]);
  });
});
