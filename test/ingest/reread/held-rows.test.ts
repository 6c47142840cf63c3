import { expect, test } from "vitest";
import type { FactRows } from "@/server/domain/segment";
import { HeldRows } from "@/server/ingest/reread/held-rows";
import { madeSighting } from "../../store/made-rows";

const ROWS: FactRows = {
  observations: [],
  links: [],
  facts: [],
  sightings: [],
  rollouts: [],
  planned: [],
  rejects: [],
  archive: [],
  touched: [],
};

test("a delivery of very many pods may say all of them at its end", () => {
  const held = new HeldRows();
  const sightings = Array.from({ length: 1_000_000 }, (_, i) => madeSighting({ ref: `pod:default/p${i}` }));
  held.add({ ...ROWS, sightings });
  expect(held.ending.sightings.length).toBe(1_000_000);
});

test("what is more than it holds is given back to be written, and then nothing is all of it", () => {
  const held = new HeldRows(1);
  const link = (to: string) => ({ from: "pod:c/p", to, since: null, until: null, how: "label" }) as const;
  expect(held.add({ ...ROWS, links: [link("sandbox:c/a")] }).links).toEqual([]);
  expect(held.all?.links.length).toBe(1);
  expect(held.add({ ...ROWS, links: [link("sandbox:c/b")] }).links.length).toBe(2);
  expect(held.all).toBeNull();
});
