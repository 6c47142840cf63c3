import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { BUILT_IN } from "@/server/classify/classifier";
import { main } from "@/server/cli/program";
import { handle } from "@/server/http/handle";
import { readOwnRules } from "@/server/own-rules";
import { readSettings } from "@/server/settings";
import { openServices } from "@/server/wire";
import { answeringServer } from "../cli/answering-server";
import { testTerminal } from "../cli/terminal-of-test";
import { chunksOf, PARAMS } from "../support/deliveries";
import { HOST, realServer, request } from "./real-services";

const RULES = `
rules:
  - id: site.stale-mount
    match: { contains: "Stale file handle", source: trainer }
    class: node.disk_full
    why: Our shared mount goes away when the filer is full.
    yes: ["OSError: [Errno 116] Stale file handle: '/mnt/x'"]
    no: ["file handle closed"]
`;
const LINE = "2026-10-10 10:00:00,000 ERROR harness OSError: [Errno 116] Stale file handle: '/mnt/7'\n";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "coalmine-rules-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function served(rules: string) {
  const path = join(folder, "coalmine.yaml");
  await writeFile(path, rules);
  const settings = readSettings({ COALMINE_CONFIG: path, COALMINE_DATA: ":memory:" });
  return openServices({ settings: { ...settings, dataDir: ":memory:" }, inline: true });
}

describe("own rules of the configuration file", () => {
  test("judge deliveries, and answers name their version", async () => {
    const services = await served(RULES);
    const ask = (path: string, init?: RequestInit) => handle(request(path, init), services);
    for (const source of ["trainer", "other"])
      await ask(`/ingest/auto?source=${source}`, { method: "POST", body: LINE });
    const answer = await ask("/incidents");
    expect(answer.headers.get("coalmine-taxonomy")).toMatch(/^\d+-[0-9a-f]{12}\+[0-9a-f]{12}$/);
    const { items } = (await answer.json()) as { items: { class: string }[] };
    expect(items.map((one) => one.class).sort()).toEqual(["node.disk_full", "unknown"]);
    await services.close();
  });

  test("stand after the built-in ones where rules are listed, marked as the operator's own", async () => {
    const services = await served(`${RULES}
  - id: site.drill
    match: { contains: "this is a drill" }
    class: none
    why: We break things on Mondays.
    yes: ["this is a drill"]
    no: ["this is no drill"]
`);
    const { items } = await (await handle(request("/taxonomy/rules"), services)).json();
    expect(items.slice(0, -2).every((rule: { own: boolean }) => !rule.own)).toBe(true);
    const why = "Our shared mount goes away when the filer is full.";
    const mount = { class: "node.disk_full", subCause: null, confidence: "likely", why, own: true };
    expect(items.slice(-2)).toMatchObject([
      { id: "own.site.stale-mount", ...mount },
      { id: "own.site.drill", class: null, own: true },
    ]);
    await services.close();
  });

  test("move what was stored when they come later", async () => {
    const services = await served(RULES);
    await services.ingest({
      params: { ...PARAMS, source: "trainer" },
      name: null,
      encoding: null,
      body: chunksOf(LINE),
      signal: new AbortController().signal,
    });
    expect((await services.store.judgedOtherwise(BUILT_IN.version)).observations).toBe(1);
    expect((await services.reclassify.state()).stale).toBe(0);
    await services.close();
  });

  test.each([
    [RULES.replace("Stale file handle: '/mnt/x'", "gone"), /rule site\.stale-mount: yes 1: no rule holds: "OSError/],
    [RULES.replace("node.disk_full", "node.nope"), /rule site\.stale-mount: class: "node\.nope" is no class/],
    [RULES.replace('contains: "Stale file handle"', 'regex: "(a"'), /rule site\.stale-mount: match\.regex: /],
    [RULES.replace("    why: Our", "    wy: Our"), /rule site\.stale-mount: /],
    ["rules: 7", /rules: must be a list/],
  ])("stop the start when one is wrong, naming it: %#", async (rules, reason) => {
    await expect(served(rules)).rejects.toThrow(reason);
    await expect(served(rules)).rejects.toMatchObject({ code: "invalid" });
  });
});

test("the rule that the README shows is a good one", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const shown = /```yaml\n(rules:\n[\s\S]*?)```/.exec(readme)?.[1] ?? "";
  expect(readOwnRules(parse(shown))).toMatchObject({ problems: [], rules: [{ id: "site.stale-mount" }] });
});

describe("a check of own rules", () => {
  const post = async (body: string) => {
    const server = await realServer();
    const headers = { "content-type": "application/yaml" };
    return server.call("/rules/check", { method: "POST", headers, body });
  };

  test("answers what is wrong, and changes nothing", async () => {
    expect(await (await post(RULES)).json()).toMatchObject({ ok: true, rules: 1, problems: [] });
    const wrong = await post(RULES.replace("file handle closed", "Stale file handle"));
    expect([wrong.status, await wrong.json()]).toEqual([
      200,
      {
        ok: false,
        rules: 1,
        rulesVersion: null,
        problems: [
          {
            rule: "site.stale-mount",
            where: "no 1",
            message: 'the rule holds for it: "Stale file handle"',
          },
        ],
      },
    ]);
    expect((await post("rules: [")).status).toBe(400);
  });

  test("runs from the command line, with its exit code", async () => {
    const file = join(folder, "rules.yaml");
    await writeFile(file, RULES);
    const real = await realServer();
    const answers = await Promise.all(
      [RULES, RULES.replace("Stale file handle: '/mnt/x'", "gone")].map((body) =>
        real.json("/rules/check", {
          method: "POST",
          headers: { host: HOST, "content-type": "application/yaml" },
          body,
        }),
      ),
    );
    const http = await answeringServer(...answers.map((body) => ({ status: 200, body })));
    const check = async () => {
      const terminal = testTerminal({ COALMINE_URL: http.url });
      return [await main(["rules", "check", file], terminal), terminal.out()];
    };
    expect(await check()).toEqual([0, expect.stringMatching(/^1 rules, all of their examples hold/)]);
    expect(await check()).toEqual([1, expect.stringMatching(/^rule site\.stale-mount: yes 1: no rule holds/)]);
    expect(JSON.parse(http.seen[0]?.body.toString() ?? "")).toMatchObject({ rules: [{ id: "site.stale-mount" }] });
    await http.close();
  });
});
