import { describe, expect, test } from "vitest";
import { CHROMIUM, open } from "./browser";
import { reading } from "./reading";

describe.skipIf(CHROMIUM === null)("the reference", () => {
  const held = reading();

  test("is reached from every page, found by words, and a call can be linked to", async () => {
    const { page } = held;
    await open(page, `${held.product.url}/runs`);
    await page.getByRole("link", { name: "API reference" }).click();
    await page.waitForURL(/\/reference$/);
    await page.getByRole("searchbox").fill("mask");
    const call = page.getByRole("listitem").filter({ hasText: "/api/v1/runs/{run}/mask" });
    await call.getByText("GET").click();
    await page.waitForURL(/call=getMask/);
    await page.getByText("application/x-ndjson").waitFor();
    await open(page, page.url());
    await page.getByText("application/x-ndjson").waitFor();
  });

  test("explains a class by the rules that give it", async () => {
    const { page } = held;
    await open(page, `${held.product.url}/reference/classes#pod.oom_killed`);
    const entry = page.getByRole("listitem").filter({ hasText: "Sandbox killed for memory" }).first();
    await entry.filter({ hasText: "Kubernetes gives the reason." }).waitFor();
    await entry.getByRole("link", { name: "its incidents" }).click();
    await page.waitForURL(/\/failures\?class=pod\.oom_killed/);
    expect(held.reader.complaints).toEqual([]);
  });
});
