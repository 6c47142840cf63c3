import { describe, expect, it } from "vitest";
import { replacedIds } from "@/server/derive/replaced-ids";
import { madeIncident } from "../store/made-rows";

const old = madeIncident({ id: "old", ref: "pod:default/p1", keys: ["a", "b", "c"] });

describe("an incident id that deriving gave up", () => {
  it("is followed by the incident that took over most of its evidence", () => {
    const after = [madeIncident({ id: "x", keys: ["a"] }), madeIncident({ id: "y", keys: ["c", "b"] })];
    expect(replacedIds([old], after)).toEqual([{ id: "old", by: "y" }]);
  });

  it("is followed by one of its subject and class where the evidence is another", () => {
    const after = [madeIncident({ id: "x", keys: ["z"] }), madeIncident({ id: "y", ref: old.ref, keys: ["z"] })];
    expect(replacedIds([old], after)).toEqual([{ id: "old", by: "y" }]);
  });

  it("is followed by nothing when nothing is left of it, and is no replaced one while it stands", () => {
    expect(replacedIds([old], [madeIncident({ id: "x", keys: ["z"] })])).toEqual([]);
    expect(replacedIds([old], [{ ...old, keys: ["a"] }])).toEqual([]);
  });
});
