import { afterEach, expect, test } from "vitest";
import { main } from "@/server/cli/program";
import { answeringServer, type Reply } from "./answering-server";
import { testTerminal } from "./terminal-of-test";

const RATE = { k: 41, n: 316, value: 0.13, low: 0.097, high: 0.171 };
const NO_SCORES = { asReported: null, infraExcluded: null, bounds: null };
const PENDING = {
  id: "r",
  name: "r",
  origin: "fleet",
  planned: null,
  rollouts: 316,
  infraFailed: RATE,
  byFamily: { disconnect: 41 },
  absorbed: 0,
  passAt1: NO_SCORES,
  meanReward: { asReported: null, infraExcluded: null },
  suspectNodes: [],
  valid: { ok: true, reason: null },
  sentence: "Lost 41.",
  pending: true,
};
const mean = { n: 40, value: 0.58, low: 0.5, high: 0.6 };
const { pending: _, ...BARE } = PENDING;
const WHOLE = { ...BARE, passAt1: { asReported: mean, infraExcluded: mean, bounds: null } };
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function coalmine(args: string[], ...bodies: unknown[]) {
  const server = await answeringServer(...bodies.map((body): Reply => ({ status: 200, body })));
  closing.push(server.close);
  const terminal = testTerminal({ COALMINE_URL: server.url });
  const exit = await main(args, terminal);
  return { exit, out: terminal.out(), calls: server.seen.length };
}

test("a run whose figures are being computed is asked for again until they are there", async () => {
  const { out, calls } = await coalmine(["run", "r"], PENDING, PENDING, WHOLE);
  expect(calls).toBe(3);
  expect(out).toContain("58.0 % → 58.0 % without the lost");
  expect(out).not.toContain("computing");
});

test("so are runs of a list, of which one is not done", async () => {
  const page = (run: unknown) => ({ items: [WHOLE, run], next: null });
  const { out, calls } = await coalmine(["runs", "--json"], page(PENDING), page(WHOLE));
  expect(calls).toBe(2);
  expect(JSON.parse(out)).toEqual({ items: [WHOLE, WHOLE], next: null });
});

test("after ten seconds it is shown as it is: computing in words, pending in JSON", async () => {
  const [words, json, list] = await Promise.all([
    coalmine(["run", "r"], PENDING),
    coalmine(["run", "r", "--json"], PENDING),
    coalmine(["runs", "--json"], { items: [PENDING], next: null }),
  ]);
  expect(words.out).toMatch(/pass@1 +computing\n.*mean reward +computing\n.*suspect nodes +computing/s);
  expect(JSON.parse(json.out)).toMatchObject({ pending: true, rollouts: 316 });
  expect(JSON.parse(list.out)).toMatchObject({ pending: true, items: [{ pending: true }] });
  expect([words.exit, json.exit]).toEqual([0, 0]);
}, 30_000);

test("nodes that are still being counted are not said to be unknown", async () => {
  const node = { node: "n1", rollouts: 9, infraFailed: RATE, expected: 1.5, incidents: 0, absorbed: 0 };
  const { out } = await coalmine(["nodes"], { items: [], next: null, pending: true }, { items: [node], next: null });
  expect(out).toMatch(/n1 +9/);
});
