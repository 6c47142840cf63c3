import { expect, test } from "vitest";
import { configKey, imageRepository, mattering } from "@/server/derive/config-key";

test("what can matter tells configs apart; ids, paths and problems do not", () => {
  const base = {
    "resources.memory_mib": 2048,
    "instance_config.problem_info.instance_id": "a",
    "connection.keepalive_expiry_s": 30,
  };
  expect(configKey({}, base)).toBe(configKey({}, { ...base, "instance_config.problem_info.instance_id": "b" }));
  expect(configKey({}, base)).not.toBe(configKey({}, { ...base, "resources.memory_mib": 8192 }));
});

test("the order of keys does not matter, and a rollout's own value beats its run's", () => {
  expect(configKey({ "create.a": 1, "create.b": 2 }, {})).toBe(configKey({ "create.b": 2, "create.a": 1 }, {}));
  expect(configKey({ "create.a": 1 }, { "create.a": 3 })).toBe(configKey({}, { "create.a": 3 }));
});

test("nothing known is null, not a key of nothing", () => {
  expect(configKey({}, {})).toBeNull();
  expect(mattering({ "notes.x": 1 })).toEqual({});
});

test("an image counts by its repository, since its last part names the task", () => {
  expect(imageRepository("registry.example/swebench/django-1:v2@sha256:ab")).toBe("registry.example/swebench");
  expect(imageRepository("python:3.12")).toBe("python");
});
