import { describe, expect, test } from "vitest";
import {
  checkCommand,
  familyOfFinding,
  findingsNote,
  newLines,
  pageOf,
  rangeText,
} from "@/app/runs/[run]/findings-links";
import type { ClassCount } from "@/server/domain/answers";
import type { Family } from "@/server/domain/taxonomy-words";
import type { EvidenceLink, Finding } from "@/server/findings/finding";

const finding = (more: Partial<Finding>): Finding => ({
  id: "x",
  run: "r",
  title: "t",
  severity: "major",
  text: "",
  rolloutsAffected: 0,
  winBack: null,
  evidence: [],
  change: null,
  canaryPlan: null,
  ...more,
});

describe("a finding", () => {
  const link = (path: string, query: Record<string, string> = {}): EvidenceLink => ({ label: "", path, query });

  test("leads from its evidence's calls to the pages that show the same rows", () => {
    expect(pageOf(link("/runs/a%20b/rollouts", { class: "x,y", verdict: "infra_failed" }))).toBe(
      "/runs/a%20b?class=x%2Cy&verdict=infra_failed#rollouts",
    );
    expect(pageOf(link("/incidents", { run: "r" }))).toBe("/failures?run=r#incidents");
    expect(pageOf(link("/runs/r"))).toBe("/runs/r#config");
    expect(pageOf(link("/nodes/n-1"))).toBe("/nodes/n-1");
    expect(pageOf(link("/metrics"))).toBeNull();
  });

  test("has the family that the classes of its evidence share, else none", () => {
    const known = [
      { class: "a", family: "oom" as Family },
      { class: "b", family: "oom" as Family },
      { class: "c", family: "proxy" as Family },
    ] as ClassCount[];
    const about = (named: string) => finding({ evidence: [link("/incidents", { class: named })] });
    expect(familyOfFinding(about("a,b"), known)).toBe("oom");
    expect(familyOfFinding(about("a,c"), known)).toBeNull();
    expect(familyOfFinding(about("unheard"), known)).toBeNull();
    expect(familyOfFinding(finding({}), known)).toBeNull();
  });

  test("gives only its new lines to paste", () => {
    const lines = [
      { op: "-" as const, text: "a: 1" },
      { op: "+" as const, text: "a: 2" },
      { op: "+" as const, text: "b: 3" },
    ];
    expect(newLines({ syntax: "yaml", file: "f", lines })).toBe("a: 2\nb: 3");
  });

  test("is checked by a command whose options a shell takes as they are", () => {
    expect(checkCommand({ plan: "memory-limit", options: { limitMiB: 8192 } })).toBe(
      "coalmine canary memory-limit --target TARGET --set limitMiB=8192",
    );
    expect(checkCommand({ plan: "node-check", options: { suspect: "it's", list: [1, 2] } }, "prod")).toBe(
      "coalmine canary node-check --target prod --set 'suspect=it'\\''s' --set 'list=[1,2]'",
    );
    expect(checkCommand({ plan: "idle-boundary", options: {} })).toBe("coalmine canary idle-boundary --target TARGET");
  });
});

test("a range that rounds to one number is said as one", () => {
  expect(rangeText(23, 27)).toBe("23–27");
  expect(rangeText(5, 5)).toBe("5");
  expect(rangeText(0.95, 1.47, 1)).toBe("0.9–1.5");
});

test("the note tells what cost rollouts from what may", () => {
  expect(findingsNote([finding({ rolloutsAffected: 3 }), finding({})])).toBe("2 findings: 1 cost rollouts, 1 may yet");
  expect(findingsNote([finding({})])).toBe("1 finding: 1 may yet");
});
