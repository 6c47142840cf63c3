/** OTLP's tagged values → plain ones. Integers come as text in JSON. */
import { isObject, type JsonObject, objectsOf } from "../formats/json-fields";

export function otlpValue(value: unknown): unknown {
  if (!isObject(value)) return undefined;
  if (typeof value.stringValue === "string") return value.stringValue;
  if (value.intValue !== undefined) return Number(value.intValue);
  if (typeof value.doubleValue === "number") return value.doubleValue;
  if (typeof value.boolValue === "boolean") return value.boolValue;
  if (isObject(value.kvlistValue)) return attributesOf(value.kvlistValue.values);
  if (isObject(value.arrayValue)) return objectsOf(value.arrayValue, "values").map(otlpValue);
  return null;
}

/** A list of `{key, value}` → an object; a value that says nothing is null. */
export function attributesOf(list: unknown): JsonObject {
  const object: JsonObject = {};
  if (!Array.isArray(list)) return object;
  for (const pair of list) {
    if (isObject(pair) && typeof pair.key === "string") object[pair.key] = otlpValue(pair.value) ?? null;
  }
  return object;
}
