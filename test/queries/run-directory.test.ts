import { expect, it } from "vitest";
import { directoryOf } from "@/server/derive/run-directory";
import { labelsFor } from "@/server/queries/run-directory";

it("runs of a filter bring their aliases, and none filter nothing", () => {
  const empty = { name: null, planned: null, config: {}, notes: null, labels: {}, passAt: 1, endedAt: null };
  const directory = directoryOf([{ ...empty, id: "a", aliases: ["b"], updatedAt: 0 }]);
  expect(labelsFor(directory, [])).toBeUndefined();
  expect(labelsFor(directory, ["b", "a"])).toEqual(["a", "b"]);
});
