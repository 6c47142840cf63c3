import { expect, it } from "vitest";
import { sentenceOfTargets } from "@/app/canaries/canaries-sentence";
import type { TargetAnswer } from "@/server/domain/canary";

const target = { name: "prod", running: 0, queued: 0, last: null } as unknown as TargetAnswer;

it("the canaries say when none can run, when none has, and which failed", () => {
  expect(sentenceOfTargets([])).toBe("No canary can run yet: no target is configured.");
  expect(sentenceOfTargets([target])).toBe("1 target, and no canary has run yet.");
  const failed = { ...target, queued: 1, last: { state: "failed" } } as TargetAnswer;
  expect(sentenceOfTargets([failed])).toBe("The newest canary failed on prod. 1 run is going or waiting.");
});
