import { expect, test } from "vitest";
import { checkRequest, planAnswers } from "@/server/canary/plans/list";
import { configSchema } from "@/server/canary/target";
import { PLAN_NAMES } from "@/server/domain/canary";
import { targetAt } from "../fleet";

const target = targetAt("http://127.0.0.1:1", { bounds: { plans: ["smoke", "ab", "burst", "replay"] } });

test.each<[string, string, unknown, RegExp]>([
  ["an unknown plan", "smokey", {}, /"smokey" is none of smoke, idle-gap/],
  ["a plan that the target does not allow", "idle-gap", {}, /idle-gap is not allowed on target here/],
  ["an unknown option", "smoke", { commands: 1, url: "http://evil" }, /url is no option of this plan/],
  ["a wrong type", "smoke", { commands: "3" }, /options.commands: .*number/],
  ["a value out of bounds", "burst", { cycles: 5000 }, /options.cycles: .*2000/],
  ["options that are no object", "smoke", [], /options: .*object/],
  [
    "label-unsafe metadata",
    "smoke",
    { metadata: { team: "a b" } },
    /options.metadata.team: must be a Kubernetes label value/,
  ],
  ["a reserved prefix", "smoke", { metadata: { "opensandbox.io/id": "x" } }, /reserved/],
  ["metadata of the canary's own", "smoke", { metadata: { "coalmine-engine": "x" } }, /written by the canary itself/],
  ["a bad quantity", "smoke", { limits: { memory: "lots" } }, /must be a Kubernetes quantity/],
  ["an image that is no reference", "smoke", { image: "a b; rm" }, /image reference/],
  [
    "a create deadline below the ready deadline",
    "smoke",
    { createDeadlineS: 10, readyDeadlineS: 10 },
    /must be above readyDeadlineS/,
  ],
  ["a lifetime that servers refuse", "smoke", { timeoutS: 59 }, /options.timeoutS/],
  ["an unknown key of an arm", "ab", { plan: "smoke", a: { url: "x" }, b: {} }, /url is no option/],
  ["an inner option that is wrong", "ab", { plan: "smoke", a: {}, b: {}, options: { commands: 99 } }, /commands/],
  ["an inner plan that is not allowed", "ab", { plan: "idle-gap", a: {}, b: {} }, /not allowed/],
  ["a replay of nothing", "replay", {}, /gapsS: the gaps are missing, or a run that has them/],
  [
    "gaps longer than a sandbox lives",
    "replay",
    { gapsS: Array.from({ length: 10 }, () => 600) },
    /lives 3600 s at most/,
  ],
])("%s is refused with the reason", (_, plan, options, reason) => {
  expect(() => checkRequest(target, plan, options)).toThrow(reason);
});

test("a null keep-alive expiry means the client library's own default, and a sandbox lives as long as its gaps need", () => {
  const { setup } = checkRequest(target, "replay", { gapsS: [300], transport: { keepaliveExpiryS: null } });
  expect(setup.profile.keepaliveExpiryS).toBeNull();
  expect(setup.timeoutS).toBeGreaterThan(360);
});

test("every plan describes its options with their bounds, for a form", () => {
  const plans = planAnswers();
  expect(plans.map((plan) => plan.name)).toEqual([...PLAN_NAMES]);
  const burst = plans.find((plan) => plan.name === "burst");
  const cycles = (burst?.options.properties as Record<string, object> | undefined)?.cycles;
  expect(cycles).toMatchObject({ type: "integer", minimum: 1, maximum: 2000, default: 64 });
});

test.each([
  [
    "two targets of one name",
    {
      targets: [
        { name: "a", baseUrl: "http://h" },
        { name: "a", baseUrl: "http://h" },
      ],
    },
    /two targets/,
  ],
  ["a key in the file", { targets: [{ name: "a", baseUrl: "http://h", apiKey: "x" }] }, /apiKey/],
  ["no URL", { targets: [{ name: "a", baseUrl: "ftp://h" }] }, /URL/i],
  [
    "a create deadline below the ready deadline",
    { targets: [{ name: "a", baseUrl: "http://h", createDeadlineS: 5 }] },
    /above/,
  ],
])("a configuration with %s is refused", (_, config, reason) => {
  const parsed = configSchema.safeParse(config);
  expect(parsed.error?.message).toMatch(reason);
});
