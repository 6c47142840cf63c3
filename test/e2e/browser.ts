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

const WIDE = { width: 1280, height: 900 };
/** A machine that is busy with much else still gets there by then. */
const PATIENCE_MS = 60_000;

export interface VisitOptions {
  theme?: "light" | "dark";
  width?: number;
}

/** A fresh page, as a reader with no history has it. */
export async function visit(
  browser: Browser,
  { theme = "light", width = WIDE.width }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    colorScheme: theme,
    reducedMotion: "reduce",
    viewport: { ...WIDE, width },
    timezoneId: "UTC",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${message.text()} ${message.location().url}`.trim());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("response", (answer) => answer.status() >= 500 && complaints.push(`${answer.status()} ${answer.url()}`));
  return { context, page, complaints };
}

/** Opens a page and waits until nothing of it is being fetched. Live streams never end, so not for the network's silence. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: "load" });
  await settled(page);
}

/** Waits until the page is drawn whole: React has taken all of it over, so a link opens what it opens in the page. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForFunction(() => {
    const taken = (control: Element) => Object.keys(control).some((key) => key.startsWith("__reactProps$"));
    const controls = [...document.querySelectorAll("a, button, input, select, textarea, summary")];
    return document.querySelector("[aria-busy='true']") === null && controls.every(taken);
  });
}

/** What axe finds in the page as it stands, a line each: the rule, the element, how to mend it. */
export function barriers(page: Page): Promise<string[]> {
  return found(axe(page));
}

/** In the reader's theme all barriers, in the other one those of colour: nothing else differs between them. */
export async function barriersInBothThemes(page: Page): Promise<string[]> {
  const all = await barriers(page);
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await page.emulateMedia({ colorScheme: isDark ? "light" : "dark" });
  const inOther = await found(axe(page).withRules(["color-contrast", "link-in-text-block"]));
  await page.emulateMedia({ colorScheme: isDark ? "dark" : "light" });
  return [...all, ...inOther.map((line) => `in the other theme: ${line}`)];
}

/** In one go and in the page itself: no page of ours holds frames. */
function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode();
}

async function found(builder: AxeBuilder): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")} — ${node.failureSummary?.split("\n")[1]?.trim() ?? ""}`),
  );
}

/** Pixels of the screen and how many of its own each of them takes: 640 at 2 is 1280 pixels at a zoom of 200 %. */
export interface Screen {
  width: number;
  scale: number;
}

export const PHONE: Screen = { width: 390, scale: 1 };
export const ZOOMED: Screen = { width: 640, scale: 2 };

/** Shows the page on each screen in turn, and on a wide one at last; fails where it must be moved sideways to be read. */
export async function fits(page: Page, screens: readonly Screen[] = [PHONE, ZOOMED]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  for (const { width, scale } of screens) {
    const metrics = { width, height: 450 * scale, deviceScaleFactor: scale, mobile: false };
    await devtools.send("Emulation.setDeviceMetricsOverride", metrics);
    await expect.poll(() => page.evaluate(seen)).toEqual({ width, scale, beyond: 0 });
  }
  await devtools.detach();
  await page.setViewportSize(WIDE);
}

function seen(): Screen & { beyond: number } {
  const { scrollWidth, clientWidth } = document.documentElement;
  return { width: innerWidth, scale: devicePixelRatio, beyond: Math.max(0, scrollWidth - clientWidth) };
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
