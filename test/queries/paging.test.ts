import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageSorted, type Rank } from "@/server/queries/paging";

describe("pages over a computed list", () => {
  it("hold every row once, whatever the page size", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (names, limit) => {
        const rankOf = (name: string): Rank => [name.length % 3, name];
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const page: { items: string[]; next: string | null } = pageSorted(names, rankOf, { limit, cursor });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          seen.push(...page.items);
          cursor = page.next;
        } while (cursor !== null);
        expect([...seen].sort()).toEqual([...names].sort());
      }),
    );
  });

  it("refuse a cursor that is not theirs", () => {
    for (const cursor of ["x", "bm90IGpzb24", Buffer.from("[1]").toString("base64url")]) {
      expect(() => pageSorted(["a"], () => [0, "a"], { limit: 1, cursor })).toThrow(/cursor/);
    }
  });
});
