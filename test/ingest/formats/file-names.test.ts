import { expect, test } from "vitest";
import { NAMED_INDEX_FROM } from "@/server/domain/rollout";
import { indexOfName } from "@/server/ingest/formats/file-names";

test("an index made of a name is always the same, and never one that a producer counts", () => {
  const indexes = Array.from({ length: 10_000 }, (_, i) => indexOfName(`trial-${i}`));
  expect(indexes.filter((index) => index < NAMED_INDEX_FROM || index >= 2 ** 31)).toEqual([]);
  expect(new Set(indexes).size).toBe(10_000);
  expect(indexOfName("trial-7")).toBe(indexes[7]);
});
