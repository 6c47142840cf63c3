import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { classify } from "@/server/classify/classify";
import type { Evidence } from "@/server/domain/evidence";

/** What formats read out of a record of a field case, and the class that it must get. */
interface Row {
  case: string;
  class: string | null;
  evidence: Evidence;
}

const rows = readFileSync("test/classify/fixtures/field-cases.jsonl", "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);

function events(file: string): Evidence[] {
  const list = JSON.parse(readFileSync(`test/cases/${file}`, "utf8")) as { items: Record<string, string>[] };
  return list.items
    .filter((item) => item.kind === "Event")
    .map((item) => ({
      layer: "kubernetes",
      kind: "event",
      reason: item.reason,
      message: item.message ?? item.note,
      level: item.type === "Warning" ? "warn" : "info",
    }));
}

describe.each([...new Set(rows.map((row) => row.case))])("records of field case %s", (name) => {
  test.each(rows.filter((row) => row.case === name).map((row) => [row.class, row.evidence] as const))(
    "are %s",
    (expected, evidence) => {
      expect(classify(evidence).class, evidence.message).toBe(expected);
    },
  );
});

describe("image pull events", () => {
  test("every failed pull is an image pull with its cause, and the pull that went well is none", () => {
    const found = events("011-image-pull-events.json").map((one) => classify(one));
    expect(found.filter((one) => one.class !== "pod.image_pull")).toHaveLength(1);
    expect(new Set(found.map((one) => one.subCause))).toEqual(
      new Set(["rate_limit", "not_found", "disk", "tls", null]),
    );
  });
});
