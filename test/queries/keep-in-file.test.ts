import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openAnswers } from "@/db/open-store";
import { keepInFile } from "@/server/queries/worker/keep-in-file";

let folder: string;
let computed: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coalmine-answers-"));
  computed = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Asks a process of its own, as it were: nothing is left but the file. */
function ask(program: string, numbers: number[]): number {
  const file = openAnswers(folder);
  const answer = keepInFile(file, program).kept("sum", numbers, (input) => {
    computed++;
    return input.reduce((a, b) => a + b, 0);
  });
  file.close();
  return answer;
}

describe("answers kept in a file", () => {
  it("are not computed again after a restart", () => {
    expect([ask("one", [1, 2]), ask("one", [1, 2]), ask("one", [3])]).toEqual([3, 3, 3]);
    expect(computed).toBe(2);
  });

  it("are computed again by another program", () => {
    ask("one", [1, 2]);
    ask("two", [1, 2]);
    expect(computed).toBe(2);
  });

  it("keep numbers that JSON does not know", () => {
    const file = openAnswers(folder);
    const value = { nan: Number.NaN, infinite: Number.POSITIVE_INFINITY, minus: -0, none: null };
    const keeper = keepInFile(file, "one");
    keeper.kept("x", 1, () => value);
    expect(keepInFile(file, "one").kept("x", 1, () => null)).toEqual(value);
    file.close();
  });

  it("are begun anew where the file is broken", () => {
    writeFileSync(join(folder, "answers.db"), "no database".repeat(1000));
    expect(ask("one", [1])).toBe(1);
    expect(ask("one", [1])).toBe(1);
    expect(computed).toBe(1);
  });

  it("are not kept, and no error, where there can be no file", () => {
    const inTheWay = join(folder, "file");
    writeFileSync(inTheWay, "");
    const file = openAnswers(join(inTheWay, "below"));
    expect(keepInFile(file, "one").kept("sum", [1], () => 7)).toBe(7);
    file.close();
    expect(readdirSync(folder)).toEqual(["file"]);
  });
});
