import { describe, expect, test } from "vitest";
import { actOf, KEY_HELP } from "@/app/_ui/keys";
import { isCurrent, PAGES } from "@/app/_ui/pages";

const press = (key: string, more: { modified?: boolean; writing?: boolean } = {}) => ({
  key,
  modified: false,
  writing: false,
  ...more,
});

describe("keys", () => {
  test("g and a letter lead to a page", () => {
    expect(actOf(press("g"), null)).toEqual({ do: "await" });
    expect(PAGES.map((page) => actOf(press(page.key), "g"))).toEqual(
      PAGES.map((page) => ({ do: "go", href: page.href })),
    );
  });

  test("the letter alone does nothing, or what it does by itself", () => {
    expect(actOf(press("r"), null)).toBeNull();
    expect(actOf(press("j"), "g")).toEqual({ do: "move", by: 1 });
  });

  test("do nothing while someone writes or holds another program's modifier", () => {
    expect(actOf(press("/", { writing: true }), null)).toBeNull();
    expect(actOf(press("r", { writing: true }), "g")).toBeNull();
    expect(actOf(press("k", { modified: true }), null)).toBeNull();
  });

  test("are all in the help, each once", () => {
    const keys = KEY_HELP.map((one) => one.keys);
    expect(new Set(keys).size).toBe(keys.length);
    for (const page of PAGES) expect(keys).toContain(`g ${page.key}`);
  });
});

describe("the navigation", () => {
  test("marks the page and those below it, and the overview only on itself", () => {
    const marked = (path: string) => PAGES.filter((page) => isCurrent(page, path)).map((page) => page.name);
    expect([marked("/"), marked("/runs"), marked("/runs/r-17"), marked("/runs-of-others")]).toEqual([
      ["Overview"],
      ["Runs"],
      ["Runs"],
      [],
    ]);
  });
});
