/** A plan's JSON Schema as the fields of a form, and what was written into them as options. Pure. */

export interface OptionField {
  /** Keys from the options down to the value; joined by dots it is the field's name. */
  path: readonly string[];
  kind: "number" | "choice" | "flag" | "list" | "text" | "json";
  /** What it means, its bounds and its default. */
  hint: string;
  min?: number;
  max?: number;
  whole?: boolean;
  choices?: readonly string[];
  /** A list of numbers. */
  numbers?: boolean;
  /** Every plan has it: about sandboxes and connections. */
  setup: boolean;
}

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: string[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  description?: string;
}

const SETUP = new Set([
  "transport",
  "limits",
  "requests",
  "image",
  "metadata",
  "timeoutS",
  "createDeadlineS",
  "readyDeadlineS",
  "execDeadlineS",
]);

export function nameOf(field: Pick<OptionField, "path">): string {
  return field.path.join(".");
}

/** The plan's own fields first. */
export function optionFields(schema: Record<string, unknown>): OptionField[] {
  const fields = Object.entries((schema as Schema).properties ?? {}).flatMap(([name, one]) => fieldsOf([name], one));
  return [...fields.filter((field) => !field.setup), ...fields.filter((field) => field.setup)];
}

function fieldsOf(path: string[], given: Schema): OptionField[] {
  const schema = withoutNull(given);
  const setup = SETUP.has(path[0] ?? "");
  const inner = Object.entries(schema.properties ?? {});
  // One level down only: what is deeper is written as JSON.
  if (inner.length > 0 && path.length === 1 && setup)
    return inner.flatMap(([name, one]) => fieldsOf([...path, name], one));
  return [{ path, setup, hint: hintOf(schema), ...kindOf(schema) }];
}

/** `anyOf` with null: the other one, which may be left empty. */
function withoutNull(schema: Schema): Schema {
  const real = schema.anyOf?.find((one) => one.type !== "null");
  return real ? { ...real, description: schema.description ?? real.description, default: schema.default } : schema;
}

function kindOf(schema: Schema): Pick<OptionField, "kind" | "min" | "max" | "whole" | "choices" | "numbers"> {
  if (schema.enum) return { kind: "choice", choices: schema.enum };
  if (schema.type === "boolean") return { kind: "flag" };
  if (schema.type === "integer" || schema.type === "number") {
    return { kind: "number", min: schema.minimum, max: boundOf(schema.maximum), whole: schema.type === "integer" };
  }
  if (schema.type === "array") return { kind: "list", numbers: schema.items?.type !== "string" };
  return schema.type === "string" ? { kind: "text" } : { kind: "json" };
}

/** The greatest whole number of JavaScript is no bound that a person set. */
function boundOf(maximum: number | undefined): number | undefined {
  return maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
}

function hintOf(schema: Schema): string {
  const max = boundOf(schema.maximum);
  const { minimum: min } = schema;
  const bounds = min !== undefined && max !== undefined ? `${min}–${max}` : min !== undefined ? `from ${min}` : "";
  const given = schema.default;
  const simple = given !== undefined && given !== null && typeof given !== "object";
  const list = Array.isArray(given) && given.length > 0 ? `default ${given.join(", ")}` : "";
  const usual = simple ? `default ${String(given)}` : list;
  const numbers = [bounds, usual].filter(Boolean).join(", ");
  return [schema.description, numbers && `${numbers}.`].filter(Boolean).join(" ");
}

/** Only what was written; `error` says in words what cannot be an option. */
export function optionsFrom(
  fields: readonly OptionField[],
  written: (name: string) => string,
): { options: Record<string, unknown> } | { error: string } {
  const options: Record<string, unknown> = {};
  for (const field of fields) {
    const text = written(nameOf(field)).trim();
    if (text === "") continue;
    const value = readValue(field, text);
    if (value === undefined) return { error: `${nameOf(field)}: “${text}” cannot be read.` };
    put(options, field.path, value);
  }
  return { options };
}

function readValue({ kind, numbers }: OptionField, text: string): unknown {
  if (kind === "number") return numberIn(text);
  if (kind === "flag") return text === "yes";
  if (kind === "json") return jsonIn(text);
  if (kind !== "list") return text;
  const parts = text.split(/[\s,]+/).filter(Boolean);
  const values: (string | number | undefined)[] = numbers ? parts.map(numberIn) : parts;
  return values.includes(undefined) ? undefined : values;
}

function numberIn(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function put(options: Record<string, unknown>, [first, second]: readonly string[], value: unknown): void {
  if (first === undefined) return;
  if (second === undefined) options[first] = value;
  else options[first] = { ...(options[first] as object | undefined), [second]: value };
}

/** What stands in a field at first, from options that a link brought; empty for what they do not hold. */
export function textIn({ path, kind }: OptionField, options: Record<string, unknown>): string {
  const value = path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], options);
  if (value === undefined || value === null) return "";
  if (kind === "flag") return value === true ? "yes" : "no";
  if (Array.isArray(value) && kind === "list") return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Options as a link holds them; what is no JSON object is none. */
export function optionsInLink(text: string | null): Record<string, unknown> {
  const value = text === null ? undefined : jsonIn(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
