import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { normalise } from "@/app/failures/group-messages";
import { ruleStub } from "@/app/failures/rule-stub";
import { readOwnRules } from "@/server/own-rules";

const stubOf = (summary: string) => ruleStub({ pattern: normalise(summary), example: { summary } });
const rulesOf = (summary: string) => parse(stubOf(summary).replace("class: unknown", "class: node.disk_full"));

describe("a rule made of a message", () => {
  test.each([
    "OSError: [Errno 116] Stale file handle: '/mnt/work-7/x' (try 3)",
    'weird {"json": [1, 2]} \\ "quoted" # and $HOME ^ | *',
    `a long one ${"word 12 ".repeat(200)}`,
    "Grader quota used up at 2026-10-10 10:00:00 by 8eb38dc5-9725-493f-921e-84f871c93966\tnow",
  ])("holds for the message that it was made of: %s", (summary) => {
    expect(readOwnRules(rulesOf(summary))).toMatchObject({ problems: [], rules: [{ class: "node.disk_full" }] });
  });

  test("says that its class has to be filled in", () => {
    expect(readOwnRules(parse(stubOf("boom 7"))).problems).toMatchObject([{ where: "class" }]);
  });
});
