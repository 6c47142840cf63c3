import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FORMATS } from "@/server/ingest/formats/list";
import { openMemory, send } from "../../support/deliveries";

const folder = new URL("./fixtures/", import.meta.url);
/** Fixtures that hold lines of several formats, or need the name of their stream. */
const MIXED = ["kubectl", "python-log", "kernel"];
const files = readdirSync(folder)
  .filter((name) => !MIXED.includes(name))
  .flatMap((name) => readdirSync(new URL(`${name}/`, folder)).map((file) => [name, file] as const));

describe("without a format named", () => {
  test.each(files)("%s/%s is read as what it is", async (name, file) => {
    const body = readFileSync(new URL(`${name}/${file}`, folder));
    const result = await send(await openMemory(), body, {}, { name: file });
    expect(result.format).toBe(name);
  });

  test("every format has a fixture", () => {
    const have = new Set([...MIXED, ...files.map(([name]) => name)]);
    const without = FORMATS.map(({ name }) => name).filter((name) => !have.has(name));
    expect(without).toEqual(["canary", "console"]);
  });
});
