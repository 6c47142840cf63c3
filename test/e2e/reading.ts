import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { type Product, type ProductOptions, startProduct } from "@/test/support/server";
import { launch, type Visit, visit } from "./browser";

/** The product and one reader's page, there for all tests of the block that calls this. */
export interface Reading {
  product: Product;
  browser: Browser;
  reader: Visit;
  page: Page;
}

/** `options` are read when the block begins: a hook before this call may still fill them. */
export function reading(options: ProductOptions = {}): Reading {
  const held = {} as Reading;
  beforeAll(async () => {
    [held.product, held.browser] = await Promise.all([startProduct(options), launch()]);
    held.reader = await visit(held.browser);
    held.page = held.reader.page;
  });
  afterAll(async () => {
    await held.browser?.close();
    await held.product?.remove();
  });
  return held;
}
