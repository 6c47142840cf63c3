import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileOf, impureImport, pureClosure, wrongArrow } from "./arrows";
import { anyTypes, hasDefaultExport, impurities, isBarrel, longFunctions, silencers } from "./habits";
import { ringOfRooms } from "./rooms";
import { readSources, root } from "./sources";

const product = readSources("app", "server", "db");
const all = [...product, ...readSources("test")];
const files = new Map(product.map((source) => [source.path, source]));

describe("arrows between folders", () => {
  test("imports run app → server → server/domain and server/wire.ts → db → server/domain", () => {
    const wrong = product.flatMap((source) => source.imports.map((found) => wrongArrow(source.path, found)));
    expect(wrong.filter((arrow) => arrow !== null)).toEqual([]);
  });

  test("no two folders of the server reach into each other, also not by way of others", () => {
    expect(ringOfRooms(product)).toBe(null);
  });

  test("every import of a file of ours has that file", () => {
    const missing = product.flatMap((source) =>
      source.imports
        .filter((found) => found.target !== null && !/\.(css|json|svg|mjs)$/.test(found.target))
        .filter((found) => fileOf(found.target ?? "", files) === undefined)
        .map((found) => `${source.path} → ${found.specifier}`),
    );
    expect(missing).toEqual([]);
  });

  test("the domain imports no package", () => {
    const domain = product.filter((source) => source.path.startsWith("server/domain/"));
    expect(domain.length).toBeGreaterThan(5);
    expect(domain.flatMap((source) => source.imports.filter((found) => found.target === null))).toEqual([]);
  });

  test("pure folders, and all that they run, import nothing but code of ours and hashing", () => {
    const impure = [...pureClosure(product)].flatMap(([source, via]) =>
      source.imports
        .filter((found) => !found.typeOnly)
        .flatMap((found) => impureImport(found) ?? [])
        .map((name) => `${via}: ${name}`),
    );
    expect(impure).toEqual([]);
  });

  test("pure folders, and all that they run, read no clock, no randomness and no outside world", () => {
    expect([...pureClosure(product).keys()].flatMap(impurities)).toEqual([]);
  });
});

describe("shape of the files", () => {
  test("no file is longer than 250 lines", () => {
    expect(all.filter((source) => source.lines > 250).map((source) => `${source.path}: ${source.lines}`)).toEqual([]);
  });

  test("no function is longer than 60 lines", () => {
    expect(product.flatMap((source) => longFunctions(source, 60))).toEqual([]);
  });

  test("no file only passes on what others export", () => {
    expect(product.filter(isBarrel).map((source) => source.path)).toEqual([]);
  });

  test("names say what a file is for, in kebab-case", () => {
    const drawer = /(^|[/.-])(utils?|helpers?|common|misc|index)([/.-]|$)/;
    // Next.js gives meaning to brackets, groups and a leading underscore in a folder's name.
    const kebab = /^(?:[_[(]{0,2}[.]{0,3}[a-z0-9-]+[\])]{0,2}\/)*[a-z0-9]+(?:[-.][a-z0-9]+)*$/;
    const odd = all.map((source) => source.path).filter((path) => drawer.test(path) || !kebab.test(path));
    expect(odd).toEqual([]);
  });

  test("exports are named, except where a framework asks for a default", () => {
    const asked =
      /^(?:app\/(?:.*\/)?(?:page|layout|template|default|loading|error|global-error|not-found)\.tsx|.*config\.ts)$/;
    const defaults = all.filter(hasDefaultExport).map((source) => source.path);
    expect(defaults.filter((path) => !asked.test(path))).toEqual([]);
  });

  test("no type is any, and nothing silences a check", () => {
    expect(all.flatMap((source) => [...anyTypes(source), ...silencers(source)])).toEqual([]);
  });

  test("tests run all that they hold", () => {
    const narrowed = /\b(?:test|it|describe)\.(?:only|todo)\b/;
    const own = basename(import.meta.url);
    expect(all.filter((s) => basename(s.path) !== own && narrowed.test(s.text)).map((s) => s.path)).toEqual([]);
  });
});

describe("the top level", () => {
  const made = /^(?:\.git|\.next|node_modules|dist|data|test-results|next-env\.d\.ts|.*\.tsbuildinfo|.*\.log)$/;
  const folders = ["app", "server", "db", "test", "deploy", ".ci"];
  const documents = ["README.md", "LICENSE", ".gitignore", "package.json", "package-lock.json", "tsconfig.json"];
  const next = ["next.config.mjs", "proxy.ts", "instrumentation.ts", "postcss.config.mjs"];

  test("holds the agreed folders and files only", () => {
    const present = readdirSync(root).filter((name) => !made.test(name));
    expect(present.filter((name) => ![...folders, ...documents, ...next].includes(name))).toEqual([]);
  });

  test("keeps what Next.js wants at the root to 20 lines a file", () => {
    const entries = readdirSync(root).filter((name) => ["proxy.ts", "instrumentation.ts"].includes(name));
    const long = entries.filter((name) => readFileSync(join(root, name), "utf8").trimEnd().split("\n").length > 20);
    expect(long).toEqual([]);
  });
});
