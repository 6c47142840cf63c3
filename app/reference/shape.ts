/** A JSON schema as the few lines a person reads: `{ items: Run[], next: string | null }`. Pure. */

export type Schema = { [key: string]: unknown };

const REF = "#/components/schemas/";

/** How deep objects are written out before they become `{ … }`. */
const DEEPEST = 4;

/** Named shapes stay names. Optional fields end in `?`; one field a line where there are several. */
export function shapeOf(schema: Schema, depth = 0): string {
  const { $ref, anyOf, oneOf, enum: values, const: value, type } = schema;
  if (typeof $ref === "string") return $ref.replace(REF, "");
  if (Array.isArray(values)) return unique(values.map((one) => JSON.stringify(one)));
  if (value !== undefined) return JSON.stringify(value);
  const either = anyOf ?? oneOf;
  if (Array.isArray(either)) return unique(either.map((one) => shapeOf(one as Schema, depth)));
  if (Array.isArray(type)) return unique(type.map((one) => shapeOf({ ...schema, type: one }, depth)));
  if (type === "array") return listOf(schema.items as Schema | undefined, depth);
  if (type === "object") return objectOf(schema, depth);
  if (schema.format === "date-time") return "time";
  if (schema.format === "binary") return "bytes";
  return typeof type === "string" ? type : "any";
}

function unique(parts: readonly string[]): string {
  return [...new Set(parts)].join(" | ");
}

function listOf(items: Schema | undefined, depth: number): string {
  const inner = items === undefined ? "any" : shapeOf(items, depth);
  return inner.includes(" | ") && !inner.startsWith("{") ? `(${inner})[]` : `${inner}[]`;
}

function objectOf(schema: Schema, depth: number): string {
  const fields = Object.entries((schema.properties as Record<string, Schema> | undefined) ?? {});
  const rest = schema.additionalProperties;
  if (fields.length === 0) {
    return typeof rest === "object" && rest !== null ? `{ [name]: ${shapeOf(rest as Schema, depth + 1)} }` : "object";
  }
  if (depth >= DEEPEST) return "{ … }";
  const required = new Set((schema.required as string[] | undefined) ?? []);
  const lines = fields.map(([name, field]) => `${name}${required.has(name) ? "" : "?"}: ${shapeOf(field, depth + 1)}`);
  const line = `{ ${lines.join(", ")} }`;
  if (line.length <= 72 && !line.includes("\n")) return line;
  const pad = "  ".repeat(depth + 1);
  return `{\n${lines.map((one) => pad + one).join(",\n")}\n${"  ".repeat(depth)}}`;
}

/** Names that a text of shapes mentions, of those that there are. */
export function namedIn(text: string, names: ReadonlySet<string>): string[] {
  return [...new Set(text.match(/\b[A-Z]\w+/g) ?? [])].filter((name) => names.has(name));
}
