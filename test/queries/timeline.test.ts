import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bucketStarts, bucketWidth, MOST_BUCKETS } from "@/server/queries/timeline";

const MINUTE = 60_000;

describe("time buckets of a chart", () => {
  it("are as narrow as 120 of them allow", () => {
    expect(bucketWidth(0, 90 * MINUTE)).toBe(MINUTE);
    expect(bucketWidth(0, 5 * 60 * MINUTE)).toBe(5 * MINUTE);
    expect(bucketWidth(0, 48 * 60 * MINUTE)).toBe(30 * MINUTE);
  });

  it("never are more than 120, however long the run", () => {
    fc.assert(
      fc.property(fc.nat(2 ** 40), fc.nat(2 ** 42), (from, length) => {
        const width = bucketWidth(from, from + length);
        const first = Math.floor(from / width) * width;
        const starts = bucketStarts(first, Math.floor((from + length) / width) * width, width);
        expect(starts.length).toBeLessThanOrEqual(MOST_BUCKETS);
        expect(starts.at(-1)).toBe(Math.floor((from + length) / width) * width);
      }),
    );
  });
});
