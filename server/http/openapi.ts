/** The API described to the world: OpenAPI 3.1, generated from the same table that answers the calls. Pure. */
import { z } from "zod";
import { ERROR_STATUS } from "@/server/domain/errors";
import { API_PREFIX } from "./match";
import { ROOT_PATHS } from "./root-paths";
import type { Route } from "./route";

type Json = Record<string, unknown>;

const PROBLEM = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    code: z.enum(Object.keys(ERROR_STATUS) as (keyof typeof ERROR_STATUS)[]),
    detail: z.string(),
  })
  .meta({ id: "Problem" });

export function openApi(routes: readonly Route[], version: string): Json {
  const schemas: Json = {};
  const problem = schemaOf(PROBLEM, "output", schemas);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = API_PREFIX + route.path;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, problem, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Coalmine",
      version,
      description:
        "Which agent rollouts the infrastructure lost, why, and where. Times are ISO 8601 UTC, rates fractions.",
    },
    paths: { ...paths, ...ROOT_PATHS },
    components: { schemas, securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  };
}

function operationOf(route: Route, problem: Json, schemas: Json): Json {
  const answer = schemaOf(route.answer.schema, "output", schemas);
  const list = {
    type: "object",
    required: ["items", "next"],
    properties: { items: { type: "array", items: answer }, next: { type: ["string", "null"] } },
  };
  const json = { [route.answer.type ?? "application/json"]: { schema: route.answer.list ? list : answer } };
  return {
    operationId: route.operation,
    summary: route.summary,
    parameters: [...pathParameters(route), ...queryParameters(route, schemas)],
    ...(route.body === null ? {} : { requestBody: bodyOf(route.body, schemas) }),
    responses: {
      200: {
        description: route.answer.description,
        headers: { "Coalmine-Taxonomy": { schema: { type: "string" }, description: "Version of rules and classes." } },
        content: route.answer.list ? { ...json, "text/csv": { schema: { type: "string" } } } : json,
      },
      default: { description: "What went wrong.", content: { "application/problem+json": { schema: problem } } },
    },
    security: route.need === "open" ? [] : [{ token: [] }],
    "x-needs-role": route.need,
  };
}

function pathParameters(route: Route): Json[] {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]);
  return names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
}

function queryParameters(route: Route, schemas: Json): Json[] {
  const object = schemaOf(route.query, "input", schemas);
  const required = new Set((object.required as string[] | undefined) ?? []);
  return Object.entries((object.properties as Record<string, Json> | undefined) ?? {}).map(([name, schema]) => {
    const { description, ...rest } = schema;
    return { name, in: "query", required: required.has(name), description, schema: rest };
  });
}

function bodyOf(body: Exclude<Route["body"], null>, schemas: Json): Json {
  if (body === "raw") return { required: true, content: { "*/*": { schema: { type: "string", format: "binary" } } } };
  const schema = schemaOf(body, "input", schemas);
  return { required: true, content: { "application/json": { schema }, "application/yaml": { schema } } };
}

/** A JSON schema; named parts of it move to `schemas` and are referred to. */
function schemaOf(schema: z.ZodType, io: "input" | "output", schemas: Json): Json {
  const { $schema: _, $defs, ...own } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
  for (const [name, part] of Object.entries(($defs as Json | undefined) ?? {})) schemas[name] = relink(part);
  const linked = relink(own) as Json;
  const id = linked.id;
  if (typeof id !== "string") return linked;
  schemas[id] = linked;
  return { $ref: `#/components/schemas/${id}` };
}

function relink(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relink);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string" ? inner.replace("#/$defs/", "#/components/schemas/") : relink(inner),
    ]),
  );
}
