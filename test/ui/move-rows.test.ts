import { describe, expect, test } from "vitest";
import { moveRows } from "@/app/ingest/move-rows";
import type { ReclassifyPreview } from "@/server/domain/reclassify";

const PREVIEW: ReclassifyPreview = {
  reread: null,
  rereadOf: null,
  rulesVersion: "2",
  observations: 9,
  changed: 3,
  evidence: [
    { before: "unknown", after: null, n: 3, samples: [{ at: null, source: "harness", rule: null, text: "x" }] },
  ],
  incidents: [{ before: null, after: "pod.oom_killed", n: 2, samples: [{ id: "i", run: "r", summary: "killed" }] }],
  rollouts: [
    {
      before: { verdict: "failed", class: null },
      after: { verdict: "infra_failed", class: "pod.oom_killed" },
      n: 1,
      samples: [{ id: "a/b", run: "r", task: "t", index: 4 }],
    },
  ],
  derivedOnly: null,
};

describe("the preview of a reclassifying", () => {
  test("tells of rollouts first, each with an example that leads to its page", () => {
    expect(moveRows(PREVIEW)).toMatchObject([
      {
        what: "Rollouts",
        before: "Failed",
        after: "Lost: pod.oom_killed",
        n: 1,
        example: "r · t #4",
        href: "/rollouts/a%2Fb",
      },
      { what: "Incidents", before: "none", after: "pod.oom_killed", example: "killed", href: null },
      { what: "Evidence", before: "unknown", after: "no failure", n: 3, example: "harness: x" },
    ]);
  });

  test("without a change is no row", () => {
    expect(moveRows({ ...PREVIEW, evidence: [], incidents: [], rollouts: [] })).toEqual([]);
  });
});
