import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSqliteStore } from "@/db/sqlite/sqlite-store";
import {
  INCIDENT_DIMS,
  type IncidentFilter,
  ROLLOUT_DIMS,
  type RolloutFilter,
  type Store,
} from "@/server/domain/store";
import { T0 } from "./made-rows";

const PAGE = { limit: 50, cursor: null };
const TABLES =
  "verdicts|incidents|observations|observation_refs|rollouts|links|facts|planned|marks|sightings|batches|archive_blocks|archive_senders|archive_filters";
const ALIASES = "o|s|b|p|m|r";

let store: Store;
let plain: Database.Database;
let asked: string[] = [];
const folder = mkdtempSync(join(tmpdir(), "coalmine-plans-"));

beforeAll(async () => {
  store = await openSqliteStore({ dataDir: folder, onQuestion: (text) => asked.push(text) });
  plain = new Database(join(folder, "coalmine.db"), { readonly: true });
  for (const name of ["has_text", "may_contain", "sent_by"])
    plain.function(name, { deterministic: true }, (_value: unknown, _part: unknown) => 1);
});
afterAll(async () => {
  plain.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The steps of SQLite's plan for each question that `ask` puts. */
async function plansOf(ask: () => Promise<unknown>): Promise<{ text: string; steps: string[] }[]> {
  asked = [];
  await ask();
  return asked.map((text) => {
    const values = [...text.matchAll(/\?/g)].map(() => null);
    const steps = plain.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[];
    return { text, steps: steps.map((step) => step.detail) };
  });
}

async function scansOf(ask: () => Promise<unknown>): Promise<string[]> {
  const scan = new RegExp(`^SCAN (${TABLES}|${ALIASES})\\b`);
  const plans = await plansOf(ask);
  expect(plans.length).toBeGreaterThan(0);
  return plans.flatMap(({ text, steps }) =>
    steps.filter((step) => scan.test(step)).map((step) => `${step} in ${text}`),
  );
}

const NARROWER: Omit<RolloutFilter, "runs">[] = [
  {},
  { effectiveOnly: false },
  { verdicts: ["infra_failed"] },
  { verdicts: ["infra_failed", "failed"], families: ["oom"] },
  { nodes: ["n1"] },
  { nodes: ["n1", "n2"], classes: ["unknown"] },
  { from: T0, to: T0 + 1 },
  { origins: ["fleet"], tasks: ["t"], configKeys: ["c"] },
  { text: "boom" },
];

describe.each([{ runs: ["r1"] }, { runs: ["r1", "r2"] }])("a question about the runs $runs", ({ runs }) => {
  test.each(NARROWER)("reads no rollouts of others (%j)", async (filter) => {
    const ask = async () => {
      await store.countRollouts({ runs, ...filter }, ["verdict", "family", "class", "masked"]);
      await store.countRollouts({ runs, ...filter }, [...ROLLOUT_DIMS]);
      await store.listRollouts({ runs, ...filter }, PAGE);
    };
    expect(await scansOf(ask)).toEqual([]);
    for (const { text, steps } of await plansOf(ask)) {
      if (text.includes("FROM verdicts")) expect(steps.join("\n"), text).toMatch(/SEARCH verdicts .*\(run=\?/);
    }
  });

  test("reads no incidents, observations, plans or sightings of others", async () => {
    const ask = async () => {
      for (const filter of [{}, { classes: ["unknown"] }, { from: T0 }, { nodes: ["n1"] }, { orWithoutRun: true }]) {
        await store.countIncidents({ runs, ...filter }, ["class"]);
        await store.countIncidents({ runs, ...filter }, [...INCIDENT_DIMS]);
        await store.listIncidents({ runs, ...filter }, PAGE);
      }
      for (const filter of [{}, { kinds: ["exec_event"] }, { from: T0, to: T0 + 1 }, { classes: ["unknown"] }]) {
        await store.countObservations({ runs, ...filter });
      }
      await store.countSightings({ runs, formats: ["execd"] });
      await store.runFacts({ runs });
      await store.runFacts({ runs, origins: ["fleet"] });
      await store.countPlanned(runs);
      await store.missingRollouts(runs, PAGE);
      await store.batches({ runs }, PAGE);
    };
    expect(await scansOf(ask)).toEqual([]);
    for (const { text, steps } of await plansOf(ask)) expect(steps.join("\n"), text).toMatch(/SEARCH .*\(run=\?/);
  });
});

describe("a question that names what it is about", () => {
  test("finds refs, keys, groups and ids by an index", async () => {
    expect(
      await scansOf(async () => {
        const refs = ["sandbox:default/s1", "pod:default/p1"];
        await store.observationsOf(refs);
        await store.observationsByKey(["k1", "k2"]);
        await store.linksFrom(refs);
        await store.linksTo(refs);
        await store.factsOf(refs);
        await store.rolloutsOfGroups(["g1"]);
        await store.rolloutsOfIds(["a"]);
        await store.incidentsOf(refs);
        await store.listIncidents({ ids: ["i1"] }, PAGE);
        await store.listIncidents({ rollouts: ["a"], refs }, PAGE);
        await store.rejects("b1", PAGE);
        await store.observationBatches(["k1"]);
        await store.archiveBytes([1, 2]);
        await store.archiveBlockOf("b1", 1);
        await store.archiveBlocks({ runs: ["r1"], tokens: ["word"], streams: ["s"] }, PAGE);
        await store.archiveBlocks({ batches: ["b1"], from: T0, to: T0 + 1 }, PAGE);
      }),
    ).toEqual([]);
  });

  test("counts a window of time, and a node, from an index", async () => {
    expect(
      await scansOf(async () => {
        await store.countRollouts({ from: T0, to: T0 + 1 }, ["node", "bucket", "verdict", "family"]);
        await store.countRollouts({ nodes: ["n1"] }, ["bucket", "verdict"]);
        await store.countIncidents({ from: T0, to: T0 + 1 }, ["class"]);
        await store.countIncidents({ nodes: ["n1"] }, ["class"]);
        await store.countObservations({ from: T0, to: T0 + 1 });
      }),
    ).toEqual([]);
  });

  test("counts a run without touching the table, and lists it newest first without sorting it", async () => {
    const [count] = await plansOf(() => store.countRollouts({ runs: ["r1"] }, ["verdict", "node"]));
    expect(count?.steps.join("\n")).toContain("COVERING INDEX verdict_run");
    const [list] = await plansOf(() => store.listRollouts({ runs: ["r1"] }, PAGE));
    expect(list?.steps.join("\n")).not.toMatch(/USE TEMP B-TREE FOR ORDER BY/);
  });

  test("lists incidents newest first without sorting all of them, whatever it leaves out", async () => {
    const filters: IncidentFilter[] = [
      {},
      { origins: ["fleet"] },
      { origins: ["fleet", "demo"], outcomes: ["fatal"] },
      { origins: ["fleet"], families: ["oom", "node"], from: T0 },
    ];
    for (const filter of filters) {
      const [list] = await plansOf(() => store.listIncidents(filter, PAGE));
      expect(list?.steps.join("\n"), JSON.stringify(filter)).not.toMatch(/USE TEMP B-TREE FOR ORDER BY/);
    }
  });
});
