import { expect, test } from "vitest";
import { findingGroups } from "@/app/overview-finding-groups";
import type { Finding, Severity } from "@/server/findings/finding";

function finding(id: string, run: string, rolloutsAffected: number, severity: Severity, title = id): Finding {
  const rest = { text: "", winBack: null, evidence: [], change: null, canaryPlan: null };
  return { id, run, title, severity, rolloutsAffected, ...rest };
}

test("a finding of several runs is one line with what it cost in each, the costliest first", () => {
  const groups = findingGroups([
    finding("race", "a", 5, "minor"),
    finding("memory", "a", 27, "major"),
    finding("race", "b", 7, "major"),
    finding("lint", "b", 0, "minor"),
  ]);
  expect(groups.map(({ title, rollouts, severity }) => [title, rollouts, severity])).toEqual([
    ["memory", 27, "major"],
    ["race", 12, "major"],
    ["lint", 0, "minor"],
  ]);
  expect(groups[1]?.runs).toEqual([
    { run: "b", rollouts: 7 },
    { run: "a", rollouts: 5 },
  ]);
});

test("two bad nodes are two lines", () => {
  const groups = findingGroups([
    finding("bad-node", "a", 3, "major", "Node n-1 loses more"),
    finding("bad-node", "a", 4, "major", "Node n-2 loses more"),
  ]);
  expect(groups.map((group) => group.title)).toEqual(["Node n-2 loses more", "Node n-1 loses more"]);
});
