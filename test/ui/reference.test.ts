import { describe, expect, test } from "vitest";
import { classHref, matchingClasses, matchingNothings } from "@/app/reference/classes/matching-classes";
import { curlOf, matchingCalls, readOpenApi } from "@/app/reference/read-openapi";
import { shapeOf } from "@/app/reference/shape";
import { openApi } from "@/server/http/openapi";
import { ROUTES } from "@/server/http/routes";
import { taxonomy, taxonomyRules } from "@/server/queries/taxonomy";

describe("a shape, as a person reads it", () => {
  test("says names, lists, choices and what may be left out", () => {
    const properties = {
      items: { type: "array", items: { $ref: "#/components/schemas/RunSummary" } },
      next: { type: ["string", "null"] },
      state: { enum: ["queued", "done"], description: "of the run" },
      reason: { type: "string", format: "date-time" },
    };
    expect(shapeOf({ type: "object", required: ["items", "next"], properties })).toBe(
      '{\n  items: RunSummary[],\n  next: string | null,\n  state?: "queued" | "done",\n  reason?: time\n}',
    );
    expect(shapeOf({ type: "array", items: { type: ["number", "null"] } })).toBe("(number | null)[]");
    expect(shapeOf({ type: "object", additionalProperties: { type: "integer" } })).toBe("{ [name]: integer }");
    expect(shapeOf({ type: "string", format: "date-time" })).toBe("time");
    expect(shapeOf({})).toBe("any");
  });
});

describe("the reference", () => {
  const { calls, shapes } = readOpenApi(openApi(ROUTES, "0"));
  const rollouts = calls.find((call) => call.id === "listRollouts") ?? calls[0];

  test("holds every call that is served", () => {
    const described = calls.map((call) => `${call.method} ${call.path}`);
    expect(described).toEqual(expect.arrayContaining(ROUTES.map((route) => `${route.method} /api/v1${route.path}`)));
    expect(described).toEqual(expect.arrayContaining(["POST /otlp/v1/logs", "POST /loki/api/v1/push", "GET /metrics"]));
  });

  test("shows an answer without a body by what it means", () => {
    const push = calls.find((call) => call.id === "pushLoki");
    expect(push).toMatchObject({ role: "ingest", answer: "Durable, and derived.", answers: [] });
  });

  test("explains every shape that a call names", () => {
    const known = new Set(shapes.map((shape) => shape.name));
    const named = calls.flatMap((call) => call.answers.flatMap((one) => one.names));
    expect(named.length).toBeGreaterThan(20);
    for (const name of named) expect(known).toContain(name);
  });

  test("is searched by path, parameter and words in any order", () => {
    const ids = (text: string) => matchingCalls(calls, text).map((call) => call.id);
    expect(ids("mask")).toContain("getMask");
    expect(ids("verdict rollouts")).toContain(rollouts?.id);
    expect(ids("no such call")).toEqual([]);
    expect(matchingCalls(calls, null)).toHaveLength(calls.length);
  });

  test("says of each call what it takes and how to try it", () => {
    expect(rollouts?.parameters[0]).toMatchObject({ name: "run", in: "path", required: true });
    const send = calls.find((call) => call.id === "ingest");
    expect(send && curlOf(send, "http://x")).toBe("curl -X POST --data-binary @FILE 'http://x/api/v1/ingest/{format}'");
  });
});

describe("the classes", () => {
  const all = matchingClasses(taxonomy().items, taxonomyRules().items, null);

  test("stand with the rules that give them", () => {
    expect(all).toHaveLength(taxonomy().items.length);
    const killed = all.find(({ known }) => known.id === "pod.oom_killed");
    expect(killed?.rules.length).toBeGreaterThan(0);
    for (const rule of killed?.rules ?? []) expect(rule.why).not.toBe("");
  });

  test("are followed by the rules that say what is no failure", () => {
    const nothings = matchingNothings(taxonomyRules().items, null);
    expect(nothings.length).toBeGreaterThan(5);
    expect(matchingNothings(taxonomyRules().items, nothings[0]?.id ?? "")).toEqual([nothings[0]]);
    expect(matchingNothings(taxonomyRules().items, "nothing says this")).toEqual([]);
  });

  test("are found by id, title and a rule's reason", () => {
    const ids = (text: string) =>
      matchingClasses(taxonomy().items, taxonomyRules().items, text).map(({ known }) => known.id);
    expect(ids("OOM_KILLED")).toContain("pod.oom_killed");
    expect(ids("killed for memory")).toContain("pod.oom_killed");
    expect(ids("nothing says this")).toEqual([]);
    expect(classHref("pod.oom_killed")).toBe("/reference/classes#pod.oom_killed");
  });
});
