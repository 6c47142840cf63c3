import { expect, test } from "vitest";
import { settleQueued } from "@/server/ingest/settle-joined";
import { openMemory, picture, send } from "../../support/deliveries";
import { BODIES, cri, PARTS, seen } from "./cut-deliveries";

for (const [name, lines] of Object.entries(BODIES)) {
  test(`${name}: one cut anywhere, in either order, changes nothing`, { timeout: 60_000 }, async () => {
    const whole = await seen([lines]);
    expect(whole.seen.counts.length).toBeGreaterThan(2);
    for (let at = 1; at < lines.length; at++) {
      const halves = [lines.slice(0, at), lines.slice(at)];
      expect((await seen(halves)).seen, `cut before line ${at + 1}`).toEqual(whole.seen);
      expect((await seen(halves.reverse())).seen, `cut before line ${at + 1}, the end first`).toEqual(whole.seen);
    }
  });
}

test("undoing either delivery takes the join back", async () => {
  const lines = BODIES["plain CRI"] as string[];
  const parts = [lines.slice(0, 5), lines.slice(5)];
  for (const gone of [0, 1]) {
    const both = await seen(parts);
    await both.store.dropBatch(both.batches[gone] as string);
    await settleQueued(both.store);
    const alone = await seen([parts[1 - gone] as string[]]);
    expect(await both.store.countObservations({})).toEqual(alone.seen.counts);
    expect(await picture(both.store)).toEqual(alone.seen.told);
  }
});

test("what an earlier delivery began is no reject in the answer to the one that ends it, nor afterwards in the earlier one's", async () => {
  const store = await openMemory();
  const [first, ...rest] = PARTS.map(([text, tag], i) => cri(text, i, tag)) as [string, ...string[]];
  const begun = await send(store, `${first}\n`);
  expect(begun).toMatchObject({ rejected: 1, rejects: [{ line: 1, code: "incomplete" }] });
  expect(await send(store, `${rest.join("\n")}\n`)).toMatchObject({ rejected: 0, rejects: [] });
  expect(await store.batch(begun.batchId)).toMatchObject({ rejected: 0 });
  expect(await send(store, `${first}\n`)).toMatchObject({ duplicateBatch: true, rejected: 0, rejects: [] });
});

test("a delivery that is sent again is answered with its rejects", async () => {
  const store = await openMemory();
  const body = `${cri("starting", 0)}\nbinary \0\n`;
  const { rejects: first } = await send(store, body);
  expect(first).toHaveLength(1);
  expect(await send(store, body)).toMatchObject({ duplicateBatch: true, rejects: first });
});
