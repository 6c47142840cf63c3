import { describe, expect, it } from "vitest";
import { byContent } from "@/server/queries/by-content";

describe("a result kept by its content", () => {
  it("is computed once for equal inputs, and the least used is let go", () => {
    const seen: number[][] = [];
    const sum = byContent((numbers: number[]) => {
      seen.push(numbers);
      return numbers.reduce((a, b) => a + b, 0);
    }, 2);
    expect([sum([1, 2]), sum([1, 2]), sum([3]), sum([1, 2]), sum([4]), sum([1, 2]), sum([3])]).toEqual([
      3, 3, 3, 3, 4, 3, 3,
    ]);
    expect(seen).toEqual([[1, 2], [3], [4], [3]]);
  });
});
