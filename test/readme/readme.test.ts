import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planAnswers } from "@/server/canary/plans/list";
import { CLASSES } from "@/server/classify/taxonomy";
import { ENVELOPES } from "@/server/ingest/envelopes/list";
import { FORMATS } from "@/server/ingest/formats/list";
import { SETTING_NAMES } from "@/server/settings";
import { root } from "@/test/architecture/sources";

const path = join(root, "README.md");
const readme = readFileSync(path, "utf8");

function tableOf(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** The tables that the code knows better than a person. */
const SECTIONS: Record<string, string> = {
  classes: tableOf(
    ["class", "title", "family", "owner"],
    CLASSES.map(({ id, title, family, owner }) => [`\`${id}\``, title, family, owner]),
  ),
  formats: tableOf(
    ["format", "what it is"],
    FORMATS.map(({ name, title }) => [`\`${name}\``, title]),
  ),
  plans: tableOf(
    ["plan", "what it shows"],
    planAnswers().map(({ name, title }) => [`\`${name}\``, title]),
  ),
  envelopes: `${ENVELOPES.map(({ name }) => `\`${name}\``).join(", ")}.`,
};

function brought(text: string): string {
  return Object.entries(SECTIONS).reduce((done, [name, content]) => {
    const section = new RegExp(`<!-- ${name} -->[\\s\\S]*?<!-- /${name} -->`);
    expect(done).toMatch(section);
    return done.replace(section, () => `<!-- ${name} -->\n${content}\n<!-- /${name} -->`);
  }, text);
}

describe("the README", () => {
  test("lists the classes, formats and envelopes that the code has (run with -u to bring them up to date)", async () => {
    await expect(brought(readme)).toMatchFileSnapshot(path);
  });

  test("says of each dependency what it saves", () => {
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    const section = readme.slice(readme.indexOf("## Dependencies"));
    expect(names.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
  });

  test("has a row for each setting", () => {
    expect(SETTING_NAMES.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });

  test("has a row for each folder of the server", () => {
    const folders = readdirSync(join(root, "server"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => `\`server/${name}/\``).filter((name) => !readme.includes(name))).toEqual([]);
  });

  test("names scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const named = [...readme.matchAll(/npm run ([a-z]+)/g)].map((match) => match[1] ?? "");
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test("names folders that exist", () => {
    const folders = [...readme.matchAll(/^\| `((?:app|server|db|deploy|test)\/[a-z/]*)`/gm)].map(
      (match) => match[1] ?? "",
    );
    expect(folders.length).toBeGreaterThan(8);
    expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
  });
});
