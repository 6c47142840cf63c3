import { describe, expect } from "vitest";
import type { Piece } from "@/server/domain/pieces";
import type { Store } from "@/server/domain/store";
import { deliver, madeObservation, T0 } from "./made-rows";
import { storeTest } from "./with-store";

const HOUR_MS = 3_600_000;
const SANDBOX = "sandbox:default/s1";

function madePiece(given: Partial<Piece> = {}): Piece {
  const lines = { from: T0, nanos: 0, until: T0, body: "{}", keys: [], rejects: [] };
  return { stream: "st", edge: "head", run: null, origin: "fleet", ...lines, ...given };
}

const REJECT = { line: 1, code: "unknown_format", message: "no format reads this record", sample: "  at x" } as const;

/** A beginning in `b1` that was read alone, its rest in `b2` that was not understood, and both as one record. */
async function joined(store: Store): Promise<void> {
  const alone = madeObservation({ key: "head alone", line: 9 });
  await deliver(store, { id: "b1" }, { observations: [alone], pieces: [madePiece({ keys: [alone.key] })] });
  const tail = madePiece({ edge: "tail", from: T0 + 1, until: T0 + 2, rejects: [{ line: 1, sample: "  at x" }] });
  await deliver(store, { id: "b2", rejected: 1 }, { rejects: [REJECT], pieces: [tail] });
  expect(await store.unjoinedStreams(10)).toEqual(["st"]);
  const [head, rest] = await store.piecesOf("st");
  if (!head || !rest) throw new Error("the pieces are not there");
  await store.settle({ refs: [SANDBOX], subjects: [], incidents: [], groups: [], verdicts: [], queue: [] });
  await store.join({
    stream: "st",
    seen: [head.id, rest.id],
    joins: [
      { piece: head.id, keys: ["head alone"], rejects: [], observations: [madeObservation({ key: "whole", line: 9 })] },
      { piece: rest.id, keys: [], rejects: [{ line: 1, sample: "  at x" }], observations: [] },
    ],
  });
}

const keysIn = async (store: Store) => (await store.observationsOf([SANDBOX])).map((o) => o.key);
const rejectsOf = async (store: Store, id: string) => (await store.rejects(id, { limit: 10, cursor: null })).items;

export function piecesConform(open: () => Promise<Store>): void {
  const test = storeTest(open);

  describe("pieces of cut records", () => {
    test("let what they said alone stand aside once they are joined", async (store) => {
      await joined(store);
      expect(await keysIn(store)).toEqual(["whole"]);
      expect(await store.observationBatches(["whole"])).toEqual(new Map([["whole", { batch: "b1", line: 9 }]]));
      expect(await rejectsOf(store, "b2")).toEqual([]);
      expect((await store.batch("b2"))?.rejected).toBe(0);
      expect(await store.unjoinedStreams(10)).toEqual([]);
      expect(await store.unsettled(10)).toEqual([SANDBOX]);
    });

    test("are apart again when the delivery of the rest is undone", async (store) => {
      await joined(store);
      await store.dropBatch("b2");
      expect(await keysIn(store)).toEqual(["head alone"]);
      expect(await store.unjoinedStreams(10)).toEqual(["st"]);
    });

    test("are apart again when the delivery of the beginning is undone", async (store) => {
      await joined(store);
      await store.dropBatch("b1");
      expect(await keysIn(store)).toEqual([]);
      expect(await rejectsOf(store, "b2")).toEqual([REJECT]);
      expect((await store.batch("b2"))?.rejected).toBe(1);
    });

    test("are joined anew by the next look, and not by one that did not see them all", async (store) => {
      await joined(store);
      const seen = (await store.piecesOf("st")).map((piece) => piece.id);
      await store.join({ stream: "st", seen: seen.slice(0, 1), joins: [] });
      expect(await keysIn(store)).toEqual(["whole"]);
      await store.join({ stream: "st", seen, joins: [] });
      expect(await keysIn(store)).toEqual(["head alone"]);
    });

    test("are closed when they stand alone and their stream is an hour on", async (store) => {
      await deliver(store, { id: "b1" }, { pieces: [madePiece(), madePiece({ stream: "other" })] });
      for (const stream of ["st", "other"]) {
        const seen = (await store.piecesOf(stream)).map((piece) => piece.id);
        await store.join({ stream, seen, joins: [] });
      }
      await deliver(store, { id: "b2" }, { pieces: [madePiece({ from: T0 + HOUR_MS + 1, until: T0 + HOUR_MS + 1 })] });
      expect((await store.piecesOf("st")).map((piece) => piece.batch)).toEqual(["b2"]);
      expect((await store.piecesOf("other")).map((piece) => piece.batch)).toEqual(["b1"]);
    });

    test("leave what was joined when they grow old", async (store) => {
      await joined(store);
      await store.dropBefore(T0 + 10);
      expect(await store.piecesOf("st")).toEqual([]);
      expect(await keysIn(store)).toEqual(["whole"]);
    });
  });
}
