import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anytimeLowerBound, logWealth } from "@/server/stats/betting";
import { gate } from "@/server/stats/gate";
import { SeededRandom } from "@/server/stats/seeded-random";

/** Share of streams of independent rollouts at `rate` on which the live gate fires by some look within `length`. */
function firing(streams: number, length: number, rate: number, max: number, seed: number): number {
  const random = new SeededRandom(seed);
  let fired = 0;
  for (let s = 0; s < streams; s++) {
    let k = 0;
    for (let n = 1; n <= length; n++) {
      if (random.next() >= rate) continue;
      k++;
      // A rollout that went well only lowers the money, so looks after failures find every crossing.
      if (logWealth(k, n, max) < Math.log(20)) continue;
      fired++;
      break;
    }
  }
  return fired / streams;
}

describe("the gate of a live run, looked at after every rollout", () => {
  test("fires on at most 5 % of 2 000 streams exactly at the maximum", () => {
    expect(firing(2000, 3000, 0.05, 0.05, 1)).toBeLessThanOrEqual(0.05);
    expect(firing(2000, 1000, 0.2, 0.2, 2)).toBeLessThanOrEqual(0.05);
  });

  test("fires within 316 rollouts on at least 90 % of streams at 13 % against a maximum of 5 %", () => {
    expect(firing(2000, 316, 0.13, 0.05, 3)).toBeGreaterThanOrEqual(0.9);
  });

  test("fails as soon as its bound passes the maximum, and cannot pass yet", () => {
    expect(gate({ k: 41, n: 316, max: 0.05, ended: false })).toMatchObject({ verdict: "fail", exitCode: 1 });
    expect(gate({ k: 1, n: 316, max: 0.05, ended: false })).toMatchObject({ verdict: "inconclusive", exitCode: 2 });
    expect(gate({ k: 1, n: 316, max: 0.05, ended: false, strict: true }).exitCode).toBe(1);
    expect(gate({ k: 0, n: 0, max: 0.05, ended: false })).toMatchObject({ verdict: "inconclusive", rate: null });
  });

  test("fires exactly when the shown bound reaches the maximum", () => {
    const counts = fc
      .integer({ min: 1, max: 500 })
      .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
    fc.assert(
      fc.property(counts, fc.double({ min: 0.01, max: 0.9, noNaN: true }), ([k, n], max) => {
        const { anytime } = gate({ k, n, max, ended: false });
        fc.pre(Math.abs(anytime.low - max) > 1e-9);
        return anytime.reached === anytime.low > max;
      }),
    );
  });
});

describe("the anytime bound", () => {
  test("is below the rate, grows with each failure, and is 0 without one", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 400 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
        const k = Math.floor(share * (n - 1));
        const [low, more] = [anytimeLowerBound(k, n, 0.05), anytimeLowerBound(k + 1, n, 0.05)];
        return low <= k / n && low <= more;
      }),
    );
    expect(anytimeLowerBound(0, 100, 0.05)).toBe(0);
  });
});

describe("the gate of an ended run", () => {
  test.each([
    [0, 200, "pass", 0],
    [41, 316, "fail", 1],
    [19, 288, "inconclusive", 2],
  ] as const)("with %i of %i lost against 5 % says %s", (k, n, verdict, exitCode) => {
    expect(gate({ k, n, max: 0.05, ended: true })).toMatchObject({ verdict, exitCode });
  });

  test("judges by the wider interval when it is given one", () => {
    const rate = { k: 41, n: 316, value: 41 / 316, low: 0.04, high: 0.24 };
    expect(gate({ k: 41, n: 316, max: 0.05, ended: true, rate }).verdict).toBe("inconclusive");
  });

  test("says it in one sentence", () => {
    expect(gate({ k: 41, n: 316, max: 0.05, ended: true }).sentence).toBe(
      "41 of 316 finished rollouts were lost to infrastructure (13.0 %, 9.7 % to 17.1 %), above the allowed 5.0 %.",
    );
  });

  test("refuses a maximum that is none", () => {
    for (const max of [0, 1, Number.NaN]) expect(() => gate({ k: 0, n: 1, max, ended: true })).toThrow(/maximum/);
  });
});
