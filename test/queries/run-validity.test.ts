import { describe, expect, it } from "vitest";
import { runValidity } from "@/server/queries/run-validity";
import { wilson } from "@/server/stats/proportion";

describe("a run as a measurement", () => {
  it("is valid with few losses", () => {
    expect(runValidity(wilson(41, 316), wilson(3, 316))).toEqual({ ok: true, reason: null });
  });

  it("is not valid from 30 rollouts on when the share passes 20 %", () => {
    expect(runValidity(wilson(7, 30), wilson(0, 30)).ok).toBe(false);
    expect(runValidity(wilson(6, 30), wilson(0, 30)).ok).toBe(true);
  });

  it("needs the interval's low end below 30 rollouts", () => {
    expect(runValidity(wilson(3, 10), wilson(0, 10)).ok).toBe(true);
    expect(runValidity(wilson(6, 10), wilson(0, 10)).ok).toBe(false);
  });

  it("is not valid when too much is unexplained, and says which share", () => {
    const judged = runValidity(wilson(0, 40), wilson(5, 40));
    expect(judged.ok).toBe(false);
    expect(judged.reason).toBe(
      "Not a valid measurement: 12.5 % ended by an error that no rule explains, more than 10 %.",
    );
  });

  it("is not valid before any rollout finished", () => {
    expect(runValidity(null, null).reason).toBe("No rollout has finished yet.");
  });
});
