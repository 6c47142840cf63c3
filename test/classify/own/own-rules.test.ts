import { describe, expect, test } from "vitest";
import { BUILT_IN } from "@/server/classify/classifier";
import { checkOwnRules } from "@/server/classify/own/own-check";
import { classifierWith } from "@/server/classify/own/own-classifier";
import { type OwnRuleSpec, problemText } from "@/server/classify/own/own-rule";
import type { Evidence } from "@/server/domain/evidence";

const RULE: OwnRuleSpec = {
  id: "site.stale-mount",
  match: { regex: "(?i)stale file handle: '/mnt/\\w+" },
  class: "node.disk_full",
  why: "Our shared mount goes away when the filer is full.",
  yes: ["OSError: [Errno 116] Stale file handle: '/mnt/work/x'"],
  no: ["OSError: [Errno 116] Stale file handle: '/home/x'"],
};
const FROM = { source: "trainer", format: "python-log" };
const said = (message: string, more: Partial<Evidence> = {}): Evidence => ({
  layer: "harness",
  kind: "error",
  message,
  ...more,
});
const problems = (...rules: Partial<OwnRuleSpec>[]) =>
  checkOwnRules(rules.map((rule) => ({ ...RULE, ...rule }))).map(problemText);

describe("own rules", () => {
  const { classify, version } = classifierWith([RULE]);

  test("judge what would be unknown, under an id of their own", () => {
    expect(classify(said("ESTALE: Stale file handle: '/mnt/work/1'"), FROM)).toEqual({
      class: "node.disk_full",
      rule: "own.site.stale-mount",
      subCause: null,
      confidence: "likely",
    });
    expect(classify(said("something else"), FROM).class).toBe("unknown");
  });

  test("never override a built-in rule, nor what is no failure or the agent's", () => {
    const all = classifierWith([{ ...RULE, match: { contains: "e" } }]);
    const known = said("Server disconnected without sending a response.", { errorType: "RemoteProtocolError" });
    const evidence: Evidence[] = [known, said("e", { kind: "success" }), said("e", { layer: "agent" })];
    for (const one of evidence) expect(all.classify(one, FROM)).toEqual(BUILT_IN.classify(one, FROM));
    expect(BUILT_IN.classify(known, FROM).class).toBe("transport.stale_keepalive");
  });

  test("hold when everything holds that they ask for", () => {
    const match = { contains: "boom", source: "trainer", format: "python-log", exception: "OSError", status: 418 };
    const own = classifierWith([{ ...RULE, match }]);
    const full = said("boom", { errorType: "X", errorChain: ["OSError"], status: 418 });
    expect(own.classify(full, FROM).rule).toBe("own.site.stale-mount");
    expect(own.classify(full, { ...FROM, source: "other" }).class).toBe("unknown");
    expect(own.classify(full, { ...FROM, format: "console" }).class).toBe("unknown");
    expect(own.classify({ ...full, errorChain: [] }, FROM).class).toBe("unknown");
    expect(own.classify({ ...full, message: "bang" }, FROM).class).toBe("unknown");
  });

  test("may say that a message is no failure", () => {
    const own = classifierWith([{ ...RULE, class: "none" }]);
    expect(own.classify(said("Stale file handle: '/mnt/a'"), FROM)).toMatchObject({ class: null, confidence: null });
  });

  test("change the version with what they say, and none leave it as it is", () => {
    expect(version).toMatch(/^\d+-[0-9a-f]{12}\+[0-9a-f]{12}$/);
    expect(classifierWith([]).version).toBe(BUILT_IN.version);
    expect(classifierWith([{ ...RULE, class: "pod.disk_full" }]).version).not.toBe(version);
    expect(classifierWith([{ ...RULE, why: "Said otherwise." }]).version).toBe(version);
  });
});

describe("a check of own rules", () => {
  test("finds nothing wrong with good ones", () => {
    expect(problems({})).toEqual([]);
    expect(problems({ match: { contains: "Stale file handle: '/mnt", source: "trainer" } })).toEqual([]);
  });

  test("names the rule and the example that does not hold", () => {
    expect(problems({ yes: ["nothing of it"] })).toEqual([
      'rule site.stale-mount: yes 1: no rule holds: "nothing of it"',
    ]);
    expect(problems({ no: ["a", "Stale file handle: '/mnt/a'"] })).toEqual([
      "rule site.stale-mount: no 2: the rule holds for it: \"Stale file handle: '/mnt/a'\"",
    ]);
  });

  test("says which rule comes first, be it built-in or own", () => {
    const match = { contains: "Server disconnected" };
    expect(
      problems({ match, yes: [{ message: "Server disconnected", exception: "RemoteProtocolError" }], no: [] }),
    ).toEqual([expect.stringMatching(/^rule site\.stale-mount: yes 1: rule transport\.\S+ comes first: /)]);
    expect(problems({ id: "a" }, { id: "b" })).toEqual([
      expect.stringMatching(/^rule b: yes 1: rule own\.a comes first/),
    ]);
  });

  test("refuses unknown classes, bad patterns and rules that ask for nothing", () => {
    expect(problems({ class: "node.nope" })).toEqual([expect.stringMatching(/class: "node\.nope" is no class/)]);
    expect(problems({ class: "harness.missing" })).toEqual([expect.stringMatching(/concluded from several/)]);
    expect(problems({ match: { regex: "(a)\\1" } })).toEqual([
      expect.stringMatching(/match\.regex: has a back-reference/),
    ]);
    expect(problems({ match: { regex: "a*" } })).toEqual([expect.stringMatching(/holds for any text/)]);
    expect(problems({ match: { source: "x" } })).toEqual([expect.stringMatching(/needs one of/)]);
    expect(problems({}, {})).toEqual([expect.stringMatching(/id: is there twice/)]);
  });
});
