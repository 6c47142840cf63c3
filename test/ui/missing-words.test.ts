import { expect, it } from "vitest";
import { whatIsMissing } from "@/app/missing-words";

it("what there is not is named, with the list of those that there are", () => {
  expect(whatIsMissing("/nodes/gpu%207")).toMatchObject({
    title: "There is no node “gpu 7”.",
    ways: [{ href: "/nodes" }, {}],
  });
  expect(whatIsMissing("/runs/x").title).toBe("There is no run “x”.");
  expect(whatIsMissing("/rollouts/x").ways[0]?.href).toBe("/runs");
  expect(whatIsMissing(`/canaries/${"x".repeat(200)}`).title.length).toBeLessThan(110);
});

it("an address that leads nowhere is only called that, whatever it is made of", () => {
  for (const path of [null, "/", "/constructor/x", "/nodes/", "/else/where"])
    expect(whatIsMissing(path).title).toBe("There is nothing here.");
  expect(whatIsMissing("/runs/%ff").title).toBe("There is no run “%ff”.");
});
