import { describe, expect, test } from "vitest";
import {
  addSample,
  encodingOf,
  isWorthSending,
  rateOf,
  type Sample,
  timeLeft,
  WINDOW_MS,
} from "@/app/ingest/upload-progress";

describe("the rate of an upload", () => {
  test("is not told before there is something to measure", () => {
    expect([
      rateOf([]),
      rateOf([{ at: 0, sent: 0 }]),
      rateOf([
        { at: 0, sent: 0 },
        { at: 100, sent: 9 },
      ]),
    ]).toEqual([null, null, null]);
  });

  test("follows the last seconds and not the whole way", () => {
    let samples: Sample[] = [];
    for (let at = 0; at <= 60_000; at += 500) {
      const fast = at > 30_000 ? at - 30_000 : 0;
      samples = addSample(samples, { at, sent: at + fast * 9 });
    }
    expect(rateOf(samples)).toBe(10_000);
    expect(samples.length).toBeLessThanOrEqual(WINDOW_MS / 500 + 2);
  });

  test("is never negative when a file begins again", () => {
    expect(
      rateOf([
        { at: 0, sent: 500 },
        { at: 1000, sent: 0 },
      ]),
    ).toBe(0);
  });

  test("gives the time left, or says that it is not known", () => {
    expect([timeLeft(5000, 1000), timeLeft(5000, null), timeLeft(5000, 0), timeLeft(0, 1000)]).toEqual([
      5000,
      null,
      null,
      0,
    ]);
  });
});

describe("files to send", () => {
  test("are known as compressed by their names", () => {
    expect(["a.jsonl.gz", "a.log.ZST", "a.br", "a.jsonl", "gz"].map(encodingOf)).toEqual([
      "gzip",
      "zstd",
      "br",
      null,
      null,
    ]);
  });

  test("leave out what is empty, hidden or left behind by a system", () => {
    const sent = (path: string, size = 1) => isWorthSending(path, size);
    expect([sent("logs/a.log"), sent("rollouts.jsonl"), sent("a.log", 0)]).toEqual([true, true, false]);
    expect([sent(".DS_Store"), sent("logs/.git/config"), sent("__MACOSX/a.log"), sent("logs/Thumbs.db")]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
