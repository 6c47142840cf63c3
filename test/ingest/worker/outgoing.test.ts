import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Outgoing } from "@/server/ingest/worker/outgoing";

/** Keeps what is posted; `take` is the thread that reads the oldest piece. */
function watched() {
  const posted: Uint8Array[] = [];
  const outgoing = new Outgoing((bytes) => posted.push(bytes));
  let read = 0;
  const take = () => {
    const piece = posted[read];
    if (piece === undefined) return false;
    read++;
    outgoing.taken(piece.length);
    return true;
  };
  return { outgoing, posted, take };
}

const ROUND = Uint8Array.from({ length: 512 }, (_, i) => i & 255);

/** 0 … 255 again and again, from `first` (0 … 255) on. */
function bytes(length: number, first = 0): Uint8Array {
  return Buffer.alloc(length, ROUND.subarray(first, first + 256));
}

describe("a delivery on its way to the thread", () => {
  test("arrives whole and in order, whatever the chunks and whenever they are read", () => {
    const step = fc.oneof(
      fc.integer({ min: 0, max: 700_000 }).map((length) => ({ length })),
      fc.constant({ length: null }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { outgoing, posted, take } = watched();
        const given: Uint8Array[] = [];
        for (const { length } of steps) {
          if (length === null) take();
          else {
            const chunk = bytes(length, given.length);
            given.push(Uint8Array.from(chunk));
            outgoing.add(chunk);
            // The sender may use its chunk again.
            chunk.fill(7);
          }
        }
        outgoing.flush();
        expect(Buffer.concat(posted).equals(Buffer.concat(given))).toBe(true);
        expect(posted.every((piece) => piece.buffer.byteLength >= piece.length && piece.length > 0)).toBe(true);
        expect(new Set(posted.map((piece) => piece.buffer)).size).toBe(posted.length);
      }),
      { numRuns: 60 },
    );
  });

  test("goes on at once while the thread has nothing, and in larger pieces while it is busy", () => {
    const { outgoing, posted, take } = watched();
    for (let i = 0; i < 10; i++) outgoing.add(bytes(10));
    expect(posted.map((piece) => piece.length)).toEqual([10]);
    expect(take()).toBe(true);
    expect(posted.map((piece) => piece.length)).toEqual([10, 90]);
    expect([take(), take()]).toEqual([true, false]);
    outgoing.add(bytes(5));
    expect(posted.map((piece) => piece.length)).toEqual([10, 90, 5]);
  });

  test("is held back by what was not read, and let go when it is read or nobody wants it any more", async () => {
    const { outgoing, take } = watched();
    outgoing.add(bytes(2 * 1024 * 1024));
    const order: string[] = [];
    const waiting = outgoing.room().then(() => order.push("room"));
    for (let i = 0; i < 4; i++) {
      take();
      await Promise.resolve();
      order.push(`read ${i}`);
    }
    await waiting;
    expect(order.indexOf("room")).toBeGreaterThanOrEqual(3);
    outgoing.add(bytes(2 * 1024 * 1024));
    outgoing.stop();
    await outgoing.room();
    expect(outgoing.isStopped).toBe(true);
  });
});
