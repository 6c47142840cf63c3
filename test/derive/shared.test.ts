import { expect, test } from "vitest";
import { deriveIncidents } from "@/server/derive/incidents";
import { shareFaults } from "@/server/derive/shared";
import type { Incident } from "@/server/domain/incident";
import { caseFile, observed, said, settings, T0 } from "./observed";

/** One incident of its own sandbox on `node`, `seconds` after the start. */
function failing(n: number, seconds: number, node = "runner-4"): Incident {
  const subject = `sandbox:default/s${n}`;
  const seen = observed(said.stale, seconds, { refs: [subject], node });
  return deriveIncidents({ ...caseFile([seen]), subject, members: [subject] }, settings)[0]?.incident as Incident;
}

const NODE = "node:default/runner-4";

test("five sandboxes of one node failing alike within a minute are one shared incident", () => {
  const parts = [0, 7, 14, 21, 35].map((seconds, n) => failing(n, seconds));
  const { shared, partOf } = shareFaults(NODE, parts);
  expect(shared.map((one) => [one.class, one.node, one.hits.sandboxes, one.firstAt, one.lastAt])).toEqual([
    ["transport.stale_keepalive", "runner-4", 5, T0, T0 + 35_000],
  ]);
  expect([...partOf.keys()].sort()).toEqual(parts.map((part) => part.id).sort());
});

test("four stay separate, and so do five with a silence of more than a minute between them", () => {
  expect(
    shareFaults(
      NODE,
      [0, 1, 2, 3].map((s) => failing(s, s)),
    ).shared,
  ).toEqual([]);
  expect(
    shareFaults(
      NODE,
      [0, 1, 2, 64, 65].map((s) => failing(s, s)),
    ).shared,
  ).toEqual([]);
});

test("a crowd that goes on is one incident; a steady trickle is none", () => {
  const seconds = Array.from({ length: 20 }, (_, i) => i * 10);
  expect(
    shareFaults(
      NODE,
      seconds.map((s) => failing(s, s)),
    ).shared.map((one) => one.hits.sandboxes),
  ).toEqual([20]);
  expect(
    shareFaults(
      NODE,
      seconds.map((s) => failing(s, s * 2)),
    ).shared,
  ).toEqual([]);
});

test("five failures of one sandbox are not shared, nor those of another node", () => {
  expect(
    shareFaults(
      NODE,
      [0, 1, 2, 3, 4].map((s) => failing(1, s)),
    ).shared,
  ).toEqual([]);
  expect(
    shareFaults(
      NODE,
      [0, 1, 2, 3, 4].map((s) => failing(s, s, "runner-7")),
    ).shared,
  ).toEqual([]);
});

test("the order of the parts changes nothing", () => {
  const parts = [0, 7, 14, 21, 35].map((seconds, n) => failing(n, seconds));
  expect(shareFaults(NODE, [...parts].reverse())).toEqual(shareFaults(NODE, parts));
});
