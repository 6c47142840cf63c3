import { describe, expect, test } from "vitest";
import { classify, RULES_VERSION } from "@/server/classify/classify";
import { RULES } from "@/server/classify/rules/order";
import { CLASSES, DERIVED_ONLY } from "@/server/classify/taxonomy";

describe("every rule, through the whole ordered list", () => {
  test.each(RULES.map((rule) => [rule.id, rule] as const))("%s fires on its yes and not on its no", (_, rule) => {
    expect(rule.yes.length).toBeGreaterThan(0);
    expect(rule.no.length).toBeGreaterThan(0);
    for (const yes of rule.yes) {
      expect(classify(yes), JSON.stringify(yes)).toMatchObject({ rule: rule.id, class: rule.class });
    }
    for (const no of rule.no) expect(classify(no).rule, JSON.stringify(no)).not.toBe(rule.id);
  });
});

describe("the list as a whole", () => {
  test("ids are unique and say why", () => {
    expect(new Set(RULES.map((rule) => rule.id)).size).toBe(RULES.length);
    expect(RULES.filter((rule) => rule.why.length < 20).map((rule) => rule.id)).toEqual([]);
  });

  test("every class has a rule or is concluded from several records only", () => {
    const ruled = new Set(RULES.map((rule) => rule.class));
    const without = CLASSES.map((info) => info.id).filter((id) => !ruled.has(id));
    expect(without.sort()).toEqual([...DERIVED_ONLY, "unknown"].sort());
  });

  test("every rule gives a class of the taxonomy or null", () => {
    const known = new Set(CLASSES.map((info) => info.id));
    expect(RULES.flatMap((rule) => (rule.class === null || known.has(rule.class) ? [] : [rule.class]))).toEqual([]);
  });

  test("patterns keep no state between calls", () => {
    const stateful = RULES.flatMap((rule) => [...rule.when, ...(rule.unless ?? [])])
      .flatMap((condition) => Object.values(condition))
      .filter((value) => value instanceof RegExp && /[gy]/.test(value.flags));
    expect(stateful).toEqual([]);
  });

  test("the version names a number and the content", () => {
    expect(RULES_VERSION).toMatch(/^\d+-[0-9a-f]{12}$/);
  });
});
