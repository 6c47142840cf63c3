import { describe, expect, test, vi } from "vitest";
import type { List, RunSummary } from "@/server/domain/answers";
import { startProduct } from "@/test/support/server";
import { CHROMIUM, open, visit } from "./browser";
import { reading } from "./reading";

describe.skipIf(CHROMIUM === null)("when something breaks in between", () => {
  const held = reading();

  const runs = async (): Promise<RunSummary[]> => {
    const answer = await fetch(`${held.product.url}/api/v1/runs`);
    return ((await answer.json()) as List<RunSummary>).items;
  };

  test("a reader who leaves while the demo loads still leaves a whole one", async () => {
    const leaver = await visit(held.browser);
    await open(leaver.page, held.product.url);
    const asked = leaver.page.waitForRequest(
      (request) => request.url().endsWith("/api/v1/demo") && request.method() === "POST",
    );
    await leaver.page.getByRole("button", { name: "Load the demo fleet" }).click();
    await asked;
    await vi.waitUntil(async () => (await runs()).length > 0, { timeout: 60_000, interval: 50 });
    await leaver.context.close();
    const whole = async (): Promise<boolean> => (await runs()).reduce((sum, run) => sum + run.rollouts, 0) === 674;
    await vi.waitUntil(whole, { timeout: 120_000, interval: 500 });
    const lost = (await runs()).map((run) => `${run.infraFailed?.k}/${run.infraFailed?.n}`);
    expect(lost.sort()).toEqual(["19/288", "3/70", "41/316"]);
  });

  test("a question that the server did not answer says so, and Retry asks again once it is back", async () => {
    const { page } = held;
    await open(page, `${held.product.url}/runs/swe-8gi-bounded?verdict=all`);
    const rows = page.getByRole("table", { name: /^Rollouts of/ }).locator("tbody tr");
    await rows.first().waitFor();
    const { port, dataDir } = held.product;
    await held.product.stop();
    await page.getByRole("searchbox", { name: "Task or error holds" }).fill("django");
    const alert = page.getByRole("alert").filter({ hasText: "The rollouts could not be read." });
    await alert.waitFor();
    expect(await alert.textContent()).toContain("The server could not be reached.");
    held.product = await startProduct({ port, dataDir });
    await alert.getByRole("button", { name: "Retry" }).click();
    await rows.first().waitFor();
    for (const text of await rows.allTextContents()) expect(text).toContain("django");
  });

  test("an address that cannot be read is a page that says so, not a fault", async () => {
    const answer = await fetch(`${held.product.url}/runs/%ff`);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("cannot be read")]);
  });
});
