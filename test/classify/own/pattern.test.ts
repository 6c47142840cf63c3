import { createContext, Script } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePattern } from "@/server/classify/own/pattern";
import { PatternError } from "@/server/classify/own/pattern-parse";
import { growth, LINEAR } from "@/test/support/cpu-time";

const LEAVES = ["a", "b", "C", " ", "1", ".", "\\d", "\\w", "\\S", "\\.", "[ab]", "[^a1]", "[\\w-]", "[a-c_]", "\\x41"];
const COUNTS = ["*", "+", "?", "{2}", "{1,3}", "{0,}", "*?", "+?"];

/** Alternatives of sequences of counted parts; a part is a leaf or, above depth 0, a group. */
function patternOf(depth: number): fc.Arbitrary<string> {
  const leaf = fc.constantFrom(...LEAVES);
  const group = () => patternOf(depth - 1).map((inner) => `(?:${inner})`);
  const atom = depth === 0 ? leaf : fc.oneof({ weight: 2, arbitrary: leaf }, { weight: 1, arbitrary: group() });
  const counted = fc.tuple(atom, fc.constantFrom(...COUNTS)).map((pair) => pair.join(""));
  const part = fc.oneof(atom, counted, fc.constantFrom("^", "$", "\\b", "\\B"));
  const sequence = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(""));
  return fc.array(sequence, { minLength: 1, maxLength: 3 }).map((alternatives) => alternatives.join("|"));
}
const pattern = patternOf(2).filter((source) => source.length < 150);
const text = fc.string({
  unit: fc.constantFrom("a", "b", "c", "C", "A", "1", " ", ".", "_", "\n", "-"),
  maxLength: 12,
});

const asked = createContext({ source: "", flags: "", given: "" });
const inJavaScript = new Script("new RegExp(source, flags).test(given)");

/** What JavaScript's own pattern finds; null where that one backtracks without end. */
function foundInJavaScript(source: string, flags: string, given: string): boolean | null {
  Object.assign(asked, { source, flags, given });
  try {
    return inJavaScript.runInContext(asked, { timeout: 1_000 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return null;
    throw error;
  }
}

describe("a pattern of a user's rule", () => {
  test("means what it means in JavaScript", () => {
    fc.assert(
      fc.property(pattern, text, fc.boolean(), (source, given, ignoreCase) => {
        const ours = compilePattern(ignoreCase ? `(?i)${source}` : source);
        const found = ours.test(given);
        expect(found).toBe(foundInJavaScript(source, ignoreCase ? "i" : "", given) ?? found);
      }),
      { numRuns: 5_000 },
    );
  });

  test.each(["(?:a+)+$", "(a|a)*b", "(?:a*)*c", ".*.*.*.*.*x", "(?:\\w+\\s?)+!"])("%s does not run away", (source) => {
    const compiled = compilePattern(source);
    const reads = (size: number) => expect(compiled.test(`${"a".repeat(size)}\n`)).toBe(false);
    expect(growth(reads, 500)).toBeLessThan(LINEAR);
  });

  test.each([
    ["(a)\\1", /back-reference/],
    ["(?=a)", /look-around/],
    ["(?<n>a)", /named group/],
    ["a(", /without its \)|too early/],
    ["a)", /without its \(/],
    ["[a", /too early/],
    ["*a", /nothing before/],
    ["a**", /repeat of a repeat/],
    ["a{3,1}", /out of order/],
    ["a{9999}", /more than 200/],
    ["(?:(?:a{100}){100})", /too large/],
    ["\\q", /escape/],
    ["x".repeat(501), /longer than 500/],
    ["(".repeat(60), /too deep/],
  ])("%s is refused with the reason", (source, reason) => {
    expect(() => compilePattern(source)).toThrow(PatternError);
    expect(() => compilePattern(source)).toThrow(reason);
  });
});
