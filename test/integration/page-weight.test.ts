import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Product, startProduct } from "@/test/support/server";

/** Bytes of JavaScript in gzip that a page may ask for before it is drawn, React and Next.js (about 130 000) included. */
const BUDGET = 170_000;
const BUILT = fileURLToPath(new URL("../../.next", import.meta.url));

const PAGES = [
  ...["/", "/runs", "/nodes", "/failures", "/search", "/search?q=killed", "/canaries", "/ingest", "/sign-in"],
  ...["/compare", "/compare?baseline=swe-2gi&candidate=swe-8gi", "/reference", "/reference/classes"],
  ...["/runs/swe-2gi", "/nodes/gpu-pool-07", "/runs/none"],
];

/** Paths of the scripts that a page's own tags ask for: those that run, and those that are fetched ahead. */
function scriptsOf(html: string): string[] {
  const tags = html.match(/<(?:script|link)\b[^>]*>/g) ?? [];
  const asked = tags.filter(
    (tag) => !/\bnoModule\b/i.test(tag) && (tag.startsWith("<script") || /as="script"/.test(tag)),
  );
  const paths = asked.flatMap((tag) => /(?:src|href)="\/_next\/([^"?]+)/.exec(tag)?.[1] ?? []);
  return [...new Set(paths)];
}

function sourceOf(path: string): string {
  return readFileSync(join(BUILT, decodeURIComponent(path)), "utf8");
}

describe("what a page asks for before it is drawn", () => {
  let product: Product;
  let rollout: string;
  beforeAll(async () => {
    product = await startProduct();
    const demo = await fetch(`${product.url}/api/v1/demo`, { method: "POST" });
    expect(demo.status).toBe(200);
    const rows = await fetch(`${product.url}/api/v1/runs/swe-2gi/rollouts?verdict=infra_failed&limit=1`);
    const { items } = (await rows.json()) as { items: { id: string }[] };
    rollout = `/rollouts/${items[0]?.id}`;
  });
  afterAll(() => product?.remove());

  async function scripts(path: string): Promise<string[]> {
    const answer = await fetch(product.url + path);
    return scriptsOf(await answer.text());
  }

  test.each([...PAGES, "a rollout"])("%s stays within the budget", async (page) => {
    const asked = await scripts(page === "a rollout" ? rollout : page);
    const sizes = asked.map((path) => gzipSync(sourceOf(path)).length);
    expect(asked.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET);
  });

  test.each(["/", "/runs/swe-2gi", "/nodes/gpu-pool-07", "/failures?by=hour"])(
    "the chart library of %s comes behind its first paint",
    async (page) => {
      const heavy = (await scripts(page)).filter((path) => sourceOf(path).includes("recharts"));
      expect(heavy).toEqual([]);
    },
  );
});
