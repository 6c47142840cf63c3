import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROUTES } from "@/server/http/routes";
import { root } from "../architecture/sources";
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
  it("holds every call of the table and those at the root, and nothing else", async () => {
    const { paths } = await description();
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const atRoot = ["POST /otlp/v1/logs", "POST /loki/api/v1/push", "GET /metrics"];
    const inTable = ROUTES.map((route) => `${route.method} /api/v1${route.path}`);
    expect(described.sort()).toEqual([...inTable, ...atRoot].sort());
  });

  it("holds the calls at the root where they are", async () => {
    const { paths } = await description();
    const atRoot = Object.keys(paths).filter((path) => !path.startsWith("/api/v1/"));
    expect(atRoot.filter((path) => !existsSync(join(root, "app", path, "route.ts")))).toEqual([]);
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
