import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { CHROMIUM, open } from "./browser";
import { reading } from "./reading";

/** So slow that a file of 10 MB is under way for as long as a test may take. */
const BYTES_A_SECOND = 30_000;
const folder = mkdtempSync(join(tmpdir(), "coalmine-drop-"));

/** Lets a folder of the disk fall onto an element, as a hand does. */
async function drop(page: Page, path: string, onto: string): Promise<void> {
  const box = await page.getByText(onto).first().boundingBox();
  if (box === null) throw new Error(`"${onto}" is not on the page`);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  const devtools = await page.context().newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await devtools.send("Input.dispatchDragEvent", { type, ...at, data });
  }
}

describe.skipIf(CHROMIUM === null)("sending from the page", () => {
  const held = reading();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("a folder that is dropped is sent file by file, with its folders", async () => {
    const { page } = held;
    mkdirSync(join(folder, "night-9", "logs"), { recursive: true });
    writeFileSync(
      join(folder, "night-9", "rollouts.jsonl"),
      '{"_ng_task_index":0,"_ng_rollout_index":0,"reward":1}\n{"_ng_task_index":1,"_ng_rollout_index":0,"reward":0}\n',
    );
    writeFileSync(join(folder, "night-9", "logs", "harness.log"), "2026-11-19 05:56:28,917 INFO harness started\n");
    await open(page, `${held.product.url}/ingest`);
    await drop(page, join(folder, "night-9"), "Drop files or a folder");
    await page.getByText("2 files queued").waitFor();
    const table = page.getByRole("table", { name: "Deliveries" });
    for (const name of ["rollouts.jsonl", "harness.log"]) {
      await table.getByText(name).first().waitFor({ timeout: 120_000 });
    }
    const row = table.getByRole("row", { name: /rollouts\.jsonl/ });
    await expect.poll(() => row.getByRole("cell").allTextContents()).toContain("2");
  });

  test("a file under way is cancelled, leaves no delivery, and can be sent again", async () => {
    const { page } = held;
    await open(page, `${held.product.url}/ingest`);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Network.enable");
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: BYTES_A_SECOND };
    await devtools.send("Network.emulateNetworkConditions", slow);
    const line = `${"2026-11-19 05:56:28,917 INFO harness a line of nothing much ".padEnd(199, "x")}\n`;
    const big = { name: "big.log", mimeType: "text/plain", buffer: Buffer.from(line.repeat(50_000)) };
    await page.getByLabel("Choose files").setInputFiles([big]);
    await page.getByRole("button", { name: "Cancel big.log" }).click();
    const again = page.getByRole("button", { name: "Send big.log again" });
    await again.waitFor();
    await page.getByRole("region", { name: "Uploads" }).getByText("cancelled").waitFor();
    const table = page.getByRole("table", { name: "Deliveries" });
    expect(await table.getByText("big.log").count()).toBe(0);
    await devtools.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: -1 });
    await again.click();
    await page.getByText(/50\s000 records/).waitFor({ timeout: 240_000 });
    await table.getByText("big.log").first().waitFor();
    expect(held.reader.complaints).toEqual([]);
  });
});
