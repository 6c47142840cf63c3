import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

function findChromium(): string | null {
  const folders = ["/usr/bin", ...(process.env.PATH ?? "").split(delimiter)];
  const paths = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const runs = (path: string): boolean => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  return paths.find(runs) ?? null;
}

/** Path of a Chromium, or null; said once, so that a skipped suite is no riddle. */
export const CHROMIUM = findChromium();
if (CHROMIUM === null) console.warn("No Chromium found: browser tests are skipped (Debian: apt-get install chromium).");

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM ?? "chromium", args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** What the page complained of: console errors, uncaught errors, requests that the server failed. */
  complaints: string[];
}

export interface VisitOptions {
  theme?: "light" | "dark";
  width?: number;
}

/** A fresh page, as a reader with no history has it. */
export async function visit(browser: Browser, { theme = "light", width = 1280 }: VisitOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    colorScheme: theme,
    reducedMotion: "reduce",
    viewport: { width, height: 900 },
    timezoneId: "UTC",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("response", (answer) => answer.status() >= 500 && complaints.push(`${answer.status()} ${answer.url()}`));
  return { context, page, complaints };
}

/** Opens a page and waits until nothing of it is being fetched. Live streams never end, so not for the network's silence. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: "load" });
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForFunction(() => document.querySelector("[aria-busy='true']") === null);
  await answersClicks(page);
}

/** A control drawn by the server answers once React has taken it over; before that a click is lost. */
async function answersClicks(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const taken = (control: Element) => Object.keys(control).some((key) => key.startsWith("__reactProps$"));
    return [...document.querySelectorAll("button, input, select, textarea, summary")].every(taken);
  });
}

/** What axe finds, a line each: the rule, the element, how to mend it. */
export async function barriers(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")} — ${node.failureSummary?.split("\n")[1]?.trim() ?? ""}`),
  );
}

/** A visit from its beginning to its end; fails when the page complained of anything. */
export async function visited(
  browser: Browser,
  read: (one: Visit) => Promise<void>,
  options: VisitOptions = {},
): Promise<void> {
  const one = await visit(browser, options);
  try {
    await read(one);
    expect(one.complaints).toEqual([]);
  } finally {
    await one.context.close();
  }
}
