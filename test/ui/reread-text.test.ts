import { expect, test } from "vitest";
import { rereadText } from "@/app/ingest/reread-text";

const READ = { deliveries: 2, lines: 120, comes: 1, goes: 0, changes: 3 };
const NONE = { older: 0, broken: 0, cut: 0, records: 0 };

test("says what comes, goes and changes", () => {
  expect(rereadText({ ...READ, left: NONE }, null)).toBe(
    "From 120 lines of 2 deliveries, 1 piece of evidence would come, 0 go, 3 say otherwise.",
  );
});

test("says what stays as it was and why, and that it is an estimate", () => {
  const text = rereadText({ ...READ, left: { ...NONE, records: 40, cut: 1 } }, 9);
  expect(text).toContain("of 2 of 9 deliveries");
  expect(text).toContain("An estimate: only the newest were looked at.");
  expect(text).toMatch(/Stays as it was: 40 not kept as lines \(rollouts, objects\), 1 not kept whole\.$/);
});
