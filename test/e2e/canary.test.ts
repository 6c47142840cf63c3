import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Relay } from "@/test/support/relay";
import { startRelayProcess } from "@/test/support/relay-process";
import { type Product, startProduct } from "@/test/support/server";
import { type StandIn, startStandIn } from "@/test/support/stand-in/server";
import { startUvicorn, type Uvicorn, uvicornCommand } from "@/test/support/uvicorn";
import { barriers, CHROMIUM, launch, open, type Visit, visit } from "./browser";

const KEY = "key-that-must-not-leak-4711";
const THEMES = ["light", "dark"] as const;

/** Names of files below `folder` that hold `text`. */
function filesHolding(folder: string, text: string): string[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return files.filter((path) => readFileSync(path).includes(text));
}

describe.skipIf(CHROMIUM === null)("canaries from the page", () => {
  const folder = mkdtempSync(join(tmpdir(), "coalmine-canaries-"));
  let product: Product;
  let browser: Browser;
  let fleet: StandIn;
  let uvicorn: Uvicorn | null = null;
  let relay: Relay | null = null;
  let reader: Visit;
  let page: Page;

  beforeAll(async () => {
    fleet = await startStandIn({ apiKey: KEY, nodes: ["gpu-07"] });
    if (uvicornCommand()) {
      uvicorn = await startUvicorn(null);
      relay = await startRelayProcess({ port: uvicorn.port, delayMs: 100 });
    }
    const targets = [
      `{name: fleet, baseUrl: '${fleet.url}', apiKeyEnv: FLEET_KEY}`,
      `{name: far, baseUrl: 'http://127.0.0.1:${relay?.port ?? 9}', bounds: {maxConcurrent: 600}}`,
    ];
    const config = join(folder, "coalmine.config.yaml");
    writeFileSync(config, `targets: [${targets.join(", ")}]\n`);
    const env = { COALMINE_CONFIG: config, FLEET_KEY: KEY };
    [product, browser] = await Promise.all([startProduct({ env }), launch()]);
    reader = await visit(browser);
    page = reader.page;
  });
  afterAll(async () => {
    await browser?.close();
    await product?.remove();
    await relay?.close();
    await uvicorn?.stop();
    await fleet?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Fills the form of a plan and presses its button. Resolves on the run's own page. */
  async function run(target: string, plan: string, fields: Record<string, string> = {}): Promise<void> {
    await open(page, `${product.url}/canaries?target=${target}&plan=${plan}`);
    for (const [name, value] of Object.entries(fields)) await page.getByLabel(name, { exact: true }).fill(value);
    await page.getByRole("button", { name: `Run ${plan} on ${target}` }).click();
    await page.waitForURL(/\/canaries\/c-/);
  }

  const headline = () => page.getByRole("heading", { level: 1 });
  const state = (name: string) => page.getByText(name, { exact: true }).first();

  test("a smoke run is started, watched live, and read step by step", async () => {
    fleet.faults.createDelayMs = 2_000;
    await run("fleet", "smoke");
    await state("Running").waitFor();
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    await headline().filter({ hasText: "A sandbox came up, ran its command and was deleted" }).waitFor();
    await state("Passed").waitFor();
    fleet.faults.createDelayMs = 0;
    const cycles = page.getByRole("table", { name: /^Cycles/ });
    await cycles.getByText("gpu-07").waitFor();
    await cycles.getByRole("button").first().click();
    for (const step of ["create", "ping", "exec", "delete"]) {
      await page.getByRole("rowheader", { name: step, exact: true }).first().waitFor();
    }
    expect(fleet.sandboxes.size).toBe(0);
  });

  test("a run is cancelled from its page, and what it made is deleted", async () => {
    await run("fleet", "replay", { gapsS: "60", sandboxes: "3" });
    await expect.poll(() => fleet.sandboxes.size).toBe(3);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Cancel" }).click();
    await state("Cancelled").waitFor();
    expect(fleet.sandboxes.size).toBe(0);
  });

  test("what the plan does not take is said beside the button, and nothing is made", async () => {
    const made = fleet.created;
    await open(page, `${product.url}/canaries?target=fleet&plan=smoke`);
    await page.getByText("Sandboxes and connections").click();
    await page.getByLabel("metadata", { exact: true }).fill('{"team":"a b"}');
    await page.getByRole("button", { name: "Run smoke on fleet" }).click();
    await page.getByRole("alert").filter({ hasText: "metadata.team: must be a Kubernetes label value" }).waitFor();
    expect(fleet.created).toBe(made);
  });

  test.skipIf(!uvicornCommand())(
    "the cliff of idle gaps is drawn while it is measured, and read as a table",
    async () => {
      await run("far", "idle-gap", { gapsS: "1, 2, 4.75, 4.85, 4.9, 4.95", repeats: "10" });
      await headline()
        .filter({ hasText: /^Kept sockets failed after 4\.\d+–4\.9/ })
        .waitFor();
      const cliff = page.getByRole("region", { name: "Failures by idle gap" });
      await cliff.getByText("danger", { exact: true }).waitFor();
      await cliff.getByRole("paragraph").filter({ hasText: "Failures: transport.stale_keepalive." }).waitFor();
      await cliff.getByRole("button", { name: "Table" }).click();
      const row = cliff.getByRole("row", { name: /^4\.9 s unbounded/ });
      const cells = await row.getByRole("cell").allTextContents();
      const [profile, reused, failed, share, named] = cells;
      expect([profile, named]).toEqual(["unbounded", "transport.stale_keepalive"]);
      expect(Number(failed) / Number(reused)).toBeGreaterThan(0.5);
      expect(share).toMatch(/^\d+\.\d % \(\d+ of \d+, \d+.*–.* %\)$/);
    },
  );

  test("the key is in no log, page, answer or row, even when the target repeats it", async () => {
    fleet.faults.createStorm = { status: 500, body: { code: "X", message: `bad key ${KEY}` }, until: 1 };
    await run("fleet", "smoke");
    await headline().filter({ hasText: "bad key [key]" }).waitFor();
    const answers = await Promise.all(
      ["targets", "canaries", "plans", "schedules", "incidents?origin=canary"].map(async (path) => {
        const answer = await fetch(`${product.url}/api/v1/${path}`);
        return answer.text();
      }),
    );
    for (const text of [await page.content(), product.output(), ...answers]) expect(text).not.toContain(KEY);
    expect(filesHolding(product.dataDir, KEY)).toEqual([]);
    expect(filesHolding(product.dataDir, "bad key [key]").length).toBeGreaterThan(0);
  });

  test.each(THEMES)("a finished run, a failed one and the list have no barrier in the %s theme", async (theme) => {
    const { items } = (await (await fetch(`${product.url}/api/v1/canaries`)).json()) as { items: { id: string }[] };
    const { context, page: other, complaints } = await visit(browser, { theme });
    for (const path of ["/canaries", ...items.map(({ id }) => `/canaries/${id}`)]) {
      await open(other, product.url + path);
      expect(await barriers(other)).toEqual([]);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });
});
