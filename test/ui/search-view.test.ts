import { describe, expect, test } from "vitest";
import { lineKey, searchAroundHref } from "@/app/_ui/lines/search-href";
import { searchParams } from "@/app/search/search-questions";
import { sentenceOfSearch } from "@/app/search/search-sentence";
import { canUseParts, fromAgo } from "@/app/search/search-time";
import { cameIn, merged, NO_TAIL, release } from "@/app/search/tail-state";
import type { RawLine } from "@/server/domain/raw-lines";

const NO_FILTER = {
  q: null,
  parts: false,
  run: null,
  node: null,
  pod: null,
  sandbox: null,
  source: null,
  from: null,
  to: null,
};

const line = (n: number): RawLine => ({
  batch: "b1",
  line: n,
  part: 0,
  at: null,
  run: null,
  node: null,
  pod: null,
  container: null,
  sandbox: null,
  source: "file",
  format: null,
  origin: "fleet",
  text: `line ${n}`,
  cut: false,
  matches: [],
});
const came = (...numbers: number[]) => ({ items: numbers.map(line), skipped: 0, unread: 0 });
const numbers = (lines: readonly RawLine[]) => lines.map((one) => one.line);

describe("lines that come while somebody looks", () => {
  test("are drawn at once, newest first", () => {
    const state = cameIn(cameIn(NO_TAIL, came(2, 1), false), came(3), false);
    expect([numbers(state.shown), numbers(state.held)]).toEqual([[3, 2, 1], []]);
  });

  test("wait while the reader reads, until they ask for them", () => {
    const reading = cameIn(cameIn(cameIn(NO_TAIL, came(1), false), came(2), true), came(3), true);
    expect([numbers(reading.shown), numbers(reading.held)]).toEqual([[1], [3, 2]]);
    expect(numbers(release(reading).shown)).toEqual([3, 2, 1]);
  });

  test("that waited come with the next that need not wait", () => {
    const state = cameIn(cameIn(NO_TAIL, came(1), true), came(2), false);
    expect([numbers(state.shown), state.held]).toEqual([[2, 1], []]);
  });

  test("are there once, and are counted where they were too many", () => {
    const state = cameIn(cameIn(NO_TAIL, came(1, 2), false), { ...came(1), skipped: 7, unread: 30 }, false);
    expect(state).toMatchObject({ skipped: 7, unread: 30 });
    expect(numbers(merged(state.shown, [line(2), line(9)]))).toEqual([1, 2, 9]);
    expect(
      merged(
        Array.from({ length: 9 }, (_, i) => line(i)),
        [],
        5,
      ),
    ).toHaveLength(5);
  });
});

describe("the sentence of a search", () => {
  const said = (part: object, found: number | null, more = false) =>
    sentenceOfSearch({ ...NO_FILTER, ...part }, found, more);

  test("says how many lines hold what was asked for, and where", () => {
    expect(said({ q: "reset" }, 12)).toBe("12 lines hold “reset”.");
    expect(said({ q: "reset", run: "exp-7", node: "n1" }, 1)).toBe("1 line of exp-7 on n1 holds “reset”.");
    expect(said({ q: '"by peer"' }, 100, true)).toBe('At least 100 lines hold "by peer".');
  });

  test("claims no more than was looked at", () => {
    expect(said({ q: "reset" }, 0)).toBe("No line holds “reset”.");
    expect(said({ q: "reset" }, 0, true)).toBe("No line holds “reset” so far.");
    expect(said({ q: "reset" }, null)).toBe("Looking for “reset” …");
    expect(said({ run: "exp-7" }, 40, true)).toBe("Every line of exp-7 that was read, the newest first.");
  });
});

describe("a search's address", () => {
  test("around a line is its run, a minute before to a minute after", () => {
    const at = "2026-11-27T10:00:00.000Z";
    expect(searchAroundHref({ at, run: "exp 1" })).toBe(
      "/search?run=exp+1&from=2026-11-27T09%3A59%3A00.000Z&to=2026-11-27T10%3A01%3A00.000Z",
    );
    expect(searchAroundHref({ at: null, run: null })).toBe("/search?");
  });

  test("asks for parts of words only where the API looks for them", () => {
    const hour = { ...NO_FILTER, parts: true, from: "2026-11-27T10:00:00Z", to: "2026-11-27T11:00:00Z" };
    expect(searchParams(hour)).toMatchObject({ parts: "true" });
    expect(searchParams({ ...hour, to: "2026-11-27T11:00:01Z" })).toMatchObject({ parts: null });
    expect(
      [{ run: "r" }, { pod: "p" }, { sandbox: "s" }, { node: "n" }].map((one) => canUseParts({ ...NO_FILTER, ...one })),
    ).toEqual([true, true, true, false]);
  });

  test("names a time and not a span, so that a link stays true", () => {
    expect(fromAgo("1h", Date.UTC(2026, 10, 27, 10))).toBe("2026-11-27T09:00:00.000Z");
    expect(fromAgo("never", 0)).toBeNull();
  });

  test("names a line by delivery, line and part", () => {
    expect(lineKey(line(4))).toBe("b1/4/0");
  });
});
