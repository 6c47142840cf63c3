import { describe, expect } from "vitest";
import { decodeBlock } from "@/server/archive/block-codec";
import type { ArchiveFilter } from "@/server/domain/archive";
import type { Store } from "@/server/domain/store";
import { madeBlock } from "./made-blocks";
import { deliver, deliverWhole, madeObservation, T0 } from "./made-rows";
import { storeTest } from "./with-store";

const ALL = { limit: 1000, cursor: null };

export function archiveConforms(open: () => Promise<Store>): void {
  const test = storeTest(open);
  const firsts = async (store: Store, filter: ArchiveFilter) =>
    (await store.archiveBlocks(filter, ALL)).items.map((block) => block.firstLine);
  const textsOf = async (store: Store, id: number) => {
    const bytes = (await store.archiveBytes([id])).get(id);
    return bytes && decodeBlock(bytes).map((line) => line.text);
  };

  describe("the archive", () => {
    test("gives blocks back with who sent them, when they came, and their bytes", async (store) => {
      const sender = { stream: "default|uid:u1||", podUid: "u1", run: "r1", node: "n1", sandbox: "s1" };
      const block = madeBlock(["one", "two"], { first: 5, at: T0, sender });
      await deliver(store, { id: "b1", receivedAt: T0 + 9 }, { archive: [block] });
      const { bytes: _, filter: __, present: ___, ...shown } = block;
      const { items, next } = await store.archiveBlocks({}, ALL);
      expect(next).toBeNull();
      expect(items).toEqual([{ ...shown, id: expect.any(Number), batch: "b1", receivedAt: T0 + 9 }]);
      const id = items[0]?.id ?? 0;
      expect(await textsOf(store, id)).toEqual(["one", "two"]);
      expect(await store.archiveBytes([id + 1])).toEqual(new Map());
    });

    test("lists the newest lines first, those without a time by their receipt, in pages", async (store) => {
      const archive = [
        madeBlock(["a"], { first: 1, at: T0 }),
        madeBlock(["b"], { first: 2, at: T0 + 20 }),
        madeBlock(["c"], { first: 3 }),
        madeBlock(["d"], { first: 4, at: T0 }),
      ];
      await deliver(store, { id: "b1", receivedAt: T0 + 10 }, { archive });
      expect(await firsts(store, {})).toEqual([2, 3, 4, 1]);
      const first = await store.archiveBlocks({}, { limit: 3, cursor: null });
      expect(first.items).toHaveLength(3);
      const second = await store.archiveBlocks({}, { limit: 3, cursor: first.next });
      expect(second.items.map((block) => block.firstLine)).toEqual([1]);
      expect(second.next).toBeNull();
    });

    test("finds blocks by delivery, run, stream, time and tokens", async (store) => {
      const of = (first: number, text: string, sender: object, at: number) => madeBlock([text], { first, at, sender });
      const [one, two] = ["default|uid:1||", "default|uid:2||"] as const;
      await deliver(store, { id: "b1" }, { archive: [of(1, "Connection reset", { run: "r1", stream: one }, T0)] });
      await deliver(store, { id: "b2" }, { archive: [of(2, "connection refused", { stream: two }, T0 + 10)] });
      expect(await firsts(store, { batches: ["b1", "b9"] })).toEqual([1]);
      expect(await firsts(store, { batches: ["b9"] })).toEqual([]);
      expect(await firsts(store, { runs: ["r1"] })).toEqual([1]);
      expect(await firsts(store, { streams: [two, "default|uid:3||"] })).toEqual([2]);
      expect(await firsts(store, { from: T0 + 1 })).toEqual([2]);
      expect(await firsts(store, { to: T0 + 10 })).toEqual([1]);
      expect(await firsts(store, { from: T0, to: T0 + 1 })).toEqual([1]);
      expect(await firsts(store, { tokens: ["connection"] })).toEqual([2, 1]);
      expect(await firsts(store, { tokens: ["connection", "reset"] })).toEqual([1]);
      expect(await firsts(store, { tokens: ["econnreset"] })).toEqual([]);
      const [newest, older] = (await store.archiveBlocks({}, ALL)).items.map((block) => block.id);
      expect(await firsts(store, { newerThan: older })).toEqual([2]);
      expect(await firsts(store, { newerThan: newest })).toEqual([]);
      expect(await firsts(store, { batches: [], runs: [], streams: [], tokens: [] })).toEqual([2, 1]);
    });

    test("leads from an observation to its line in the delivery that came first", async (store) => {
      const seen = (line: number) => madeObservation({ key: "k1", line });
      await deliver(store, { id: "b1" }, { observations: [seen(7)], archive: [madeBlock(["x", "y"], { first: 6 })] });
      await deliver(store, { id: "b2" }, { observations: [seen(2), madeObservation({ key: "k2", line: 3 })] });
      const places = await store.observationBatches(["k1", "k2", "k3"]);
      expect(places).toEqual(
        new Map([
          ["k1", { batch: "b1", line: 7 }],
          ["k2", { batch: "b2", line: 3 }],
        ]),
      );
      const block = await store.archiveBlockOf("b1", 7);
      expect(await textsOf(store, block?.id ?? 0)).toEqual(["x", "y"]);
      expect(await store.archiveBlockOf("b1", 8)).toBeNull();
      expect(await store.archiveBlockOf("b2", 7)).toBeNull();
    });

    test("tells blocks of two runs apart whose lines lie between each other", async (store) => {
      const odd = {
        ...madeBlock(["1", "3"], { sender: { run: "odd" } }),
        lastLine: 3,
        present: new Uint8Array([0b101]),
      };
      const even = madeBlock(["2"], { first: 2, sender: { run: "even" } });
      await deliver(store, { id: "b1" }, { archive: [odd, even] });
      const runs = await Promise.all([1, 2, 3].map(async (line) => (await store.archiveBlockOf("b1", line))?.run));
      expect(runs).toEqual(["odd", "even", "odd"]);
    });

    test("goes with its delivery, run or origin, and leaves the rest", async (store) => {
      const of = (sender: object, first: number) => madeBlock(["word"], { first, sender });
      const archive = [of({ run: "r1" }, 1), of({ run: "r2" }, 2), of({ origin: "canary" }, 3), of({}, 4)];
      await deliverWhole(store, { id: "b1" }, { archive });
      await deliverWhole(store, { id: "b2" }, { archive: [of({}, 5)] });
      await store.dropRun(["r1"]);
      expect(await firsts(store, { tokens: ["word"] })).toEqual([5, 4, 3, 2]);
      await store.dropOrigin("canary");
      expect(await firsts(store, {})).toEqual([5, 4, 2]);
      await store.dropBatch("b1");
      expect(await firsts(store, {})).toEqual([5]);
    });
  });
}
