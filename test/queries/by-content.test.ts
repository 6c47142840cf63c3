import { describe, expect, it } from "vitest";
import { keepInMemory } from "@/server/queries/by-content";

describe("a result kept by its content", () => {
  it("is computed once for equal inputs, and the least used is let go", () => {
    const seen: number[][] = [];
    const keeper = keepInMemory(2);
    const sum = (numbers: number[]) =>
      keeper.kept("sum", numbers, (input) => {
        seen.push(input);
        return input.reduce((a, b) => a + b, 0);
      });
    expect([sum([1, 2]), sum([1, 2]), sum([3]), sum([1, 2]), sum([4]), sum([1, 2]), sum([3])]).toEqual([
      3, 3, 3, 3, 4, 3, 3,
    ]);
    expect(seen).toEqual([[1, 2], [3], [4], [3]]);
  });

  it("is another one for another computation of the same", () => {
    const keeper = keepInMemory(2);
    expect(keeper.kept("sum", [1], () => 1)).toBe(1);
    expect(keeper.kept("product", [1], () => 2)).toBe(2);
  });
});
