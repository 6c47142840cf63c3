import { describe, expect, test } from "vitest";
import { readQuery } from "@/server/queries/search-query";

const narrow = { parts: false, narrow: true };
const whole = { parts: false, narrow: false };
const found = (q: string, text: string, how = whole) => readQuery(q, how).matchesIn(text);

describe("words", () => {
  test("must all be there, whole, in any order and case", () => {
    const text = "ERROR httpx.ReadError: Connection reset by peer";
    expect(found("reset connection", text)).toEqual([
      [23, 33],
      [34, 39],
    ]);
    expect(found("reset refused", text)).toBeNull();
    expect(found("connect", text)).toBeNull();
    expect(found("ReadError", text)).toEqual([[12, 21]]);
    expect(found("httpx.readerror:", text)).toEqual([[6, 22]]);
  });

  test("are told apart by whatever is no letter or digit", () => {
    expect(found("gateway", "bad_gateway")).toEqual([[4, 11]]);
    expect(found("10.0.0.1", "from 10.0.0.12", narrow)).toBeNull();
    expect(found("10.0.0.1", "from 10.0.0.1:443", narrow)).toEqual([[5, 13]]);
  });

  test("in quotes are one phrase, with spaces of any width", () => {
    expect(found('"reset by peer"', "reset by  peer")).toEqual([[0, 14]]);
    expect(found('"reset peer"', "reset by peer")).toBeNull();
    expect(found('"reset by', "reset by peer")).toEqual([[0, 8]]);
  });

  test("hold no pattern: what means something to a regular expression is looked for as it is", () => {
    expect(found("a.c abc", "a.c abc")).toHaveLength(2);
    expect(found("a.c", "abc", narrow)).toBeNull();
    expect(found("(foo|bar)[0-9]+ $HOME", "x (foo|bar)[0-9]+ $HOME")).toHaveLength(2);
  });

  test("that lie over each other are marked once", () => {
    expect(found('"bad gateway" gateway', "a bad gateway")).toEqual([[2, 13]]);
  });
});

describe("what is looked up", () => {
  test("are the words of three letters or digits and more", () => {
    expect(readQuery('"Connection reset" 5xx of 10.244.3.17', whole).tokens).toEqual([
      "connection",
      "reset",
      "5xx",
      "244",
    ]);
  });

  test.each(["5", "ab :: 12", "→ ok"])("%s alone is too short, unless little is looked through", (q) => {
    expect(() => readQuery(q, whole)).toThrow(/three letters or digits/);
    expect(readQuery(q, narrow).tokens).toEqual([]);
  });

  test("are no words where parts of words count, which needs a narrow search", () => {
    const parts = { parts: true, narrow: true };
    expect(() => readQuery("onnect", { parts: true, narrow: false })).toThrow(/within a run, a pod or an hour/);
    expect(readQuery("onnect", parts).tokens).toEqual([]);
    expect(found("onnect", "Connection", parts)).toEqual([[1, 7]]);
  });

  test("is everything without a query", () => {
    expect(readQuery("  ", whole)).toMatchObject({ tokens: [] });
    expect(found("", "any line")).toEqual([]);
  });

  test("is bounded", () => {
    expect(() => readQuery("w ".repeat(13), narrow)).toThrow(/at most 12/);
  });
});

describe("the probe of a query", () => {
  const probe = (q: string, text: string) => {
    const found = readQuery(q, narrow).probe;
    return found === null ? null : new RegExp(found.source, found.flags).test(text);
  };

  test("is its longest plain piece, found in whatever case and beside whatever", () => {
    expect(probe('at "Connection reset"', "xxCONNECTIONxx")).toBe(true);
    expect(probe("a.c+", "abcc")).toBe(false);
    expect(probe("grün reset", "RESET")).toBe(true);
  });

  test("is none where nothing plain is asked for", () => {
    expect([probe("", "x"), probe("→ …", "→ …")]).toEqual([null, null]);
  });
});
