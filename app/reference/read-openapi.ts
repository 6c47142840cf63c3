/** The API's own description as what the reference page shows. Pure. */
import { namedIn, type Schema, shapeOf } from "./shape";

export interface Parameter {
  name: string;
  in: "path" | "query";
  required: boolean;
  shape: string;
  /** Null where there is none. */
  fallback: string | null;
  description: string;
}

export interface Answered {
  type: string;
  shape: string;
  /** Named shapes that it mentions. */
  names: string[];
}

export interface ApiCall {
  id: string;
  method: string;
  path: string;
  summary: string;
  role: string;
  parameters: Parameter[];
  body: Answered | null;
  answer: string;
  answers: Answered[];
}

export interface NamedShape {
  name: string;
  description: string;
  shape: string;
}

export interface ApiReference {
  calls: ApiCall[];
  shapes: NamedShape[];
}

type Content = Record<string, { schema: Schema }>;
interface Described {
  description: string;
  content?: Content;
}
interface Operation {
  operationId: string;
  summary: string;
  parameters: { name: string; in: "path" | "query"; required: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Content };
  responses: { 200?: Described; 204?: Described };
  "x-needs-role": string;
}

/** `document` as `/api/v1/openapi.json` answers it. Calls keep its order. */
export function readOpenApi(document: Record<string, unknown>): ApiReference {
  const { paths, components } = document as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const names = new Set(Object.keys(components.schemas));
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => callOf(method, path, operation, names)),
  );
  const shapes = Object.entries(components.schemas).map(([name, schema]) => ({
    name,
    description: typeof schema.description === "string" ? schema.description : "",
    shape: shapeOf(schema),
  }));
  return { calls, shapes: shapes.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

function callOf(method: string, path: string, operation: Operation, names: ReadonlySet<string>): ApiCall {
  const contents = (content: Content) =>
    Object.entries(content).map(([type, { schema }]) => {
      const shape = shapeOf(schema);
      return { type, shape, names: namedIn(shape, names) };
    });
  const ok = operation.responses[200] ?? operation.responses[204] ?? { description: "" };
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    role: operation["x-needs-role"],
    parameters: operation.parameters.map(({ name, in: place, required, description, schema }) => ({
      name,
      in: place,
      required,
      shape: shapeOf(schema),
      fallback: schema.default == null ? null : String(schema.default),
      description: description ?? "",
    })),
    // JSON and YAML bodies have one shape.
    body: operation.requestBody ? (contents(operation.requestBody.content)[0] ?? null) : null,
    answer: ok.description,
    answers: contents(ok.content ?? {}).filter(({ shape, type }) => shape !== "any" || type !== "application/json"),
  };
}

/** Calls that hold every word of `text` in path, name, summary or parameters. */
export function matchingCalls(calls: readonly ApiCall[], text: string | null): ApiCall[] {
  const words = (text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return calls.filter((call) => {
    const said = [call.method, call.path, call.id, call.summary, ...call.parameters.map((one) => one.name)];
    const all = said.join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** A line for a terminal; path parameters stay to be filled in. */
export function curlOf({ method, path, body }: ApiCall, address: string): string {
  const verb = method === "GET" ? "" : ` -X ${method}`;
  const data = body === null ? "" : body.shape === "bytes" ? " --data-binary @FILE" : " --json @body.json";
  return `curl${verb}${data} '${address}${path}'`;
}
