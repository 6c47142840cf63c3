import { expect, it } from "vitest";
import { isPending } from "@/server/domain/pending";

it("an answer is pending when it says so of itself or of one of its rows", () => {
  expect(isPending({ id: "r1", pending: true })).toBe(true);
  expect(isPending({ items: [{ id: "a" }, { id: "b", pending: true }], next: null })).toBe(true);
  expect(isPending({ sentence: "", runs: [{ pending: true }], nodes: [] })).toBe(true);
});

it("an answer without is not, whatever it holds", () => {
  expect(isPending({ id: "r1", pending: false, items: [null, 1, "pending"], config: { pending: true } })).toBe(false);
  expect(isPending(undefined)).toBe(false);
});
