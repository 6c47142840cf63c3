import { describe, expect, test } from "vitest";
import { pureClosure, wrongArrow } from "./arrows";
import { anyTypes, hasDefaultExport, impurities, isBarrel, longFunctions, silencers } from "./habits";
import { ringOfRooms } from "./rooms";
import { parseSource, type Source } from "./sources";

/** The checks must see what they look for; a check that finds nothing anywhere proves nothing. */
function arrows(source: Source): (string | null)[] {
  return source.imports.map((found) => wrongArrow(source.path, found)).filter((arrow) => arrow !== null);
}

describe("the architecture checks", () => {
  test.each([
    ["server/domain/a.ts", 'import { x } from "@/server/ingest/b";'],
    ["server/domain/a.ts", 'import { x } from "../ingest/b";'],
    ["server/queries/a.ts", 'import { x } from "@/db/open-store";'],
    ["server/queries/a.ts", 'import type { X } from "@/app/b";'],
    ["server/queries/a.ts", 'const x = await import("@/db/open-store");'],
    ["server/queries/a.ts", 'type X = import("@/db/open-store").X;'],
    ["db/a.ts", 'export { x } from "@/server/ingest/b";'],
    ["app/page.tsx", 'import { x } from "@/db/open-store";'],
    ["app/page.tsx", 'import { x } from "@/test/support/x";'],
  ])("see a wrong arrow from %s in %s", (path, text) => {
    expect(arrows(parseSource(path, text))).toHaveLength(1);
  });

  test.each([
    ["server/wire.ts", 'import { x } from "@/db/open-store";'],
    ["db/a.ts", 'import type { Store } from "@/server/domain/store";'],
    ["app/page.tsx", 'import { x } from "@/server/queries/b";'],
  ])("let pass the right arrow from %s in %s", (path, text) => {
    expect(arrows(parseSource(path, text))).toEqual([]);
  });

  test("see folders of the server that reach into each other", () => {
    const sources = [
      parseSource("server/canary/a.ts", 'import { b } from "@/server/ingest/b";'),
      parseSource("server/ingest/b.ts", 'import { c } from "@/server/queries/c";'),
      parseSource("server/queries/c.ts", 'import type { A } from "@/server/canary/a";'),
    ];
    expect(ringOfRooms(sources)).toBe("canary → ingest → queries → canary");
    expect(ringOfRooms(sources.slice(1))).toBe(null);
  });

  test("see what a pure file runs through another file, and not what it only takes types from", () => {
    const sources = [
      parseSource(
        "server/derive/a.ts",
        'import { b } from "@/server/ingest/b"; import type { C } from "@/server/http/c";',
      ),
      parseSource("server/ingest/b.ts", "export const b = 1;"),
      parseSource("server/http/c.ts", "export interface C { at: number }"),
    ];
    expect([...pureClosure(sources).keys()].map((source) => source.path)).toEqual([
      "server/derive/a.ts",
      "server/ingest/b.ts",
    ]);
  });

  test("see clocks and randomness, and let a date with an argument pass", () => {
    const text = "const a = Date.now(); const b = new Date(); const c = Math.random(); const d = new Date(0);";
    expect(impurities(parseSource("server/derive/a.ts", text))).toHaveLength(3);
    expect(impurities(parseSource("server/derive/a.ts", 'import { randomUUID } from "node:crypto";'))).toHaveLength(1);
    expect(impurities(parseSource("server/derive/a.ts", "console.log(process.env.X);"))).toHaveLength(2);
  });

  test("see long functions, barrels, default exports, any and silencers", () => {
    const long = `export function a() {\n${"  void 0;\n".repeat(60)}}`;
    expect(longFunctions(parseSource("a.ts", long), 60)).toEqual(["a.ts:1 62 lines"]);
    expect(isBarrel(parseSource("a.ts", 'export { x } from "./x";'))).toBe(true);
    expect(isBarrel(parseSource("a.ts", 'export * from "./x"; export const y = 1;'))).toBe(true);
    expect(isBarrel(parseSource("a.ts", "export const y = 1;"))).toBe(false);
    expect(hasDefaultExport(parseSource("a.ts", "export default 1;"))).toBe(true);
    expect(anyTypes(parseSource("a.ts", "const x: any = 1;"))).toEqual(["a.ts:1"]);
    expect(silencers(parseSource("a.ts", `// @ts-${"ignore"}\nconst x = 1;`))).toHaveLength(1);
  });
});
