import { describe, expect, it } from "vitest";
import { ROUTES } from "@/server/http/routes";
import { realServer } from "./real-services";

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean }[];
  responses: Record<string, { content: Record<string, { schema: unknown }> }>;
}
interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
}

async function description(): Promise<Description> {
  return (await realServer()).json<Description>("/openapi.json");
}

describe("the API's description", () => {
  it("holds every call of the table, and nothing else", async () => {
    const { paths } = await description();
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(ROUTES.map((route) => `${route.method} /api/v1${route.path}`).sort());
  });

  it("gives every call a name of its own", () => {
    const names = ROUTES.map((route) => route.operation);
    expect(new Set(names).size).toBe(names.length);
  });

  it("refers to nothing that it does not hold", async () => {
    const all = await description();
    const refs = [...JSON.stringify(all).matchAll(/"\$ref":"([^"]+)"/g)].map((found) => found[1] ?? "");
    expect(refs.length).toBeGreaterThan(20);
    for (const ref of refs)
      expect(Object.keys(all.components.schemas)).toContain(ref.replace("#/components/schemas/", ""));
  });

  it("names path and query parameters as the calls take them", async () => {
    const { paths } = await description();
    const rollouts = paths["/api/v1/runs/{run}/rollouts"]?.get;
    const names = rollouts?.parameters.map((one) => `${one.in} ${one.name}${one.required ? " !" : ""}`);
    expect(names).toEqual(expect.arrayContaining(["path run !", "query verdict", "query limit", "query cursor"]));
    expect(rollouts?.responses["200"]?.content).toHaveProperty(["text/csv"]);
  });

  it("says of the mask list that it is lines, not one JSON document", async () => {
    const { paths } = await description();
    const content = paths["/api/v1/runs/{run}/mask"]?.get?.responses["200"]?.content ?? {};
    expect(Object.keys(content)).toEqual(["application/x-ndjson"]);
  });
});
