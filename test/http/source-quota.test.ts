import { describe, expect, it } from "vitest";
import { SourceQuota } from "@/server/http/source-quota";

const MIB = 1024 * 1024;

function quota(mib: number | null) {
  const clock = { now: Date.UTC(2026, 7, 1) };
  const limits = new SourceQuota(mib === null ? null : mib * MIB, () => clock.now);
  const isBusy = (source: string): boolean => {
    try {
      limits.admit(source);
      return false;
    } catch (error) {
      expect(error).toMatchObject({ code: "busy", message: expect.stringContaining(source) });
      return true;
    }
  };
  return { limits, isBusy, pass: (seconds: number) => (clock.now += seconds * 1000) };
}

describe("the rate of a source", () => {
  it("may be used up at once, and comes back steadily", () => {
    const { limits, isBusy, pass } = quota(6);
    limits.charge("a", 6 * MIB);
    expect(isBusy("a")).toBe(true);
    expect(limits.slowed()).toMatchObject([{ source: "a", refused: 1, retryAfterS: 1 }]);
    pass(2);
    expect(isBusy("a")).toBe(false);
  });

  it("is each source's own", () => {
    const { limits, isBusy } = quota(1);
    limits.charge("a", 2 * MIB);
    expect([isBusy("a"), isBusy("b")]).toEqual([true, false]);
  });

  it("says how long to wait: as long as it takes to make up for what was too much", () => {
    const { limits, isBusy, pass } = quota(1);
    limits.charge("a", 3 * MIB);
    isBusy("a");
    const wait = limits.slowed()[0]?.retryAfterS ?? 0;
    expect(wait).toBeGreaterThanOrEqual(120);
    pass(wait - 1);
    expect(isBusy("a")).toBe(true);
    pass(1);
    expect(isBusy("a")).toBe(false);
  });

  it("keeps a source waiting ten minutes at most, whatever it sent", () => {
    const { limits, isBusy } = quota(1);
    limits.charge("a", 10_000 * MIB);
    isBusy("a");
    expect(limits.slowed()[0]?.retryAfterS).toBeLessThanOrEqual(601);
  });

  it("never saves up more than a minute's worth, and forgets refusals after an hour", () => {
    const { limits, isBusy, pass } = quota(1);
    limits.charge("a", MIB);
    isBusy("a");
    pass(3601);
    expect(limits.slowed()).toEqual([]);
    limits.charge("a", MIB + 1);
    expect(isBusy("a")).toBe(true);
  });

  it("is no limit when none is set", () => {
    const { limits, isBusy } = quota(null);
    limits.charge("a", 1e12);
    expect(isBusy("a")).toBe(false);
    expect(limits.slowed()).toEqual([]);
  });

  it("is kept for a bounded number of sources", () => {
    const { limits, isBusy } = quota(1);
    for (let i = 0; i < 12_000; i++) limits.charge(`source ${i}`, 2 * MIB);
    expect([isBusy("source 0"), isBusy("source 11999")]).toEqual([false, true]);
  });
});
