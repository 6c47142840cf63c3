import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteStore } from "@/db/sqlite/sqlite-store";
import type { Store } from "@/server/domain/store";
import { searchTail } from "@/server/queries/search-tail";
import { madeBlock } from "../store/made-blocks";
import { deliver, T0 } from "../store/made-rows";

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore({ dataDir: ":memory:" });
});
afterEach(() => store.close());

const lines = (n: number, text: string) => Array.from({ length: n }, (_, i) => `${text} ${i}`);

describe("reading along", () => {
  test("begins with what comes next, and gives each line once, newest first", async () => {
    await deliver(store, { id: "b1" }, { archive: [madeBlock(["old word"], { at: T0 })] });
    const begin = await searchTail(store, { q: "word", after: null });
    expect(begin.items).toEqual([]);
    const archive = [madeBlock(["word 1", "else"], { at: T0 + 1 }), madeBlock(["word 2"], { at: T0 + 2 })];
    await deliver(store, { id: "b2" }, { archive });
    const next = await searchTail(store, { q: "word", after: begin.after });
    expect(next.items.map((item) => item.text)).toEqual(["word 2", "word 1"]);
    expect(next).toMatchObject({ skipped: 0, unread: 0 });
    expect(await searchTail(store, { q: "word", after: next.after })).toMatchObject({ items: [], after: next.after });
  });

  test("gives lines that came just now, however old they are", async () => {
    await deliver(store, { id: "b1" }, { archive: [madeBlock(["word"], { at: T0 })] });
    const { after } = await searchTail(store, { after: null });
    await deliver(store, { id: "b2" }, { archive: [madeBlock(["from last year"], { at: T0 - 3e10 })] });
    expect((await searchTail(store, { after })).items.map((item) => item.text)).toEqual(["from last year"]);
  });

  test("leaves out what nobody can read along, and says how much", async () => {
    const { after } = await searchTail(store, { after: null });
    const archive = Array.from({ length: 10 }, (_, i) => madeBlock(lines(40, "word"), { at: T0 + i }));
    await deliver(store, { id: "b1" }, { archive });
    const tail = await searchTail(store, { q: "word", after });
    expect(tail.items).toHaveLength(100);
    expect(tail.skipped + tail.unread).toBe(300);
    expect(tail.unread).toBeGreaterThanOrEqual(80);
  });
});
