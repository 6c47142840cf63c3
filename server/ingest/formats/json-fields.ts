/** Reading untrusted JSON objects: a field is there with the right type or it is not there. */
import type { Payload } from "../format";

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The payload as a JSON object, parsed once; null when it is no object or does not parse. */
export function objectOf(payload: Payload): JsonObject | null {
  if (payload.json === undefined) {
    if (!looksLikeObject(payload.text)) return null;
    payload.json = parsed(payload.text);
  }
  return isObject(payload.json) ? payload.json : null;
}

/** Strings, to be left alone, and the numbers that Python writes and JSON does not have. */
const STRING_OR_NAN = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/** undefined when it is no JSON, also when Python's own numbers are taken for null. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (!/[:,[]\s*-?(?:NaN|Infinity)\b/.test(text)) return undefined;
  }
  try {
    return JSON.parse(text.replace(STRING_OR_NAN, (token) => (token.startsWith('"') ? token : "null")));
  } catch {
    return undefined;
  }
}

/** Begins like a JSON object with at least one key. */
export function looksLikeObject(text: string): boolean {
  return /^\s*\{\s*["}]/.test(text);
}

/** First of these fields that is a non-empty string. */
export function textOf(object: JsonObject | null | undefined, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = object?.[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** First of these fields that is a finite number. */
export function numberOf(object: JsonObject | null | undefined, ...names: string[]): number | undefined {
  for (const name of names) {
    const value = object?.[name];
    if (typeof value === "number" && Number.isFinite(value)) return value;
  }
  return undefined;
}

/** First of these fields that is a whole number from 0 on, small enough to be exact. */
export function countOf(object: JsonObject | null | undefined, ...names: string[]): number | undefined {
  for (const name of names) {
    const value = object?.[name];
    if (isCount(value)) return value;
  }
  return undefined;
}

/** What `countOf` takes, in words. */
export const COUNT = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;

/** Why one of these fields, which is there, is none that `countOf` gives; null when all that are there are. */
export function countFault(object: JsonObject | null | undefined, ...names: string[]): string | null {
  for (const name of names) {
    const value = object?.[name];
    if (value === undefined || value === null || isCount(value)) continue;
    return `${name} must be ${COUNT}, got ${foundWord(value)}`;
  }
  return null;
}

/** Two larger ones may be one and the same in memory. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

export function booleanOf(object: JsonObject | null | undefined, ...names: string[]): boolean | undefined {
  for (const name of names) {
    const value = object?.[name];
    if (typeof value === "boolean") return value;
  }
  return undefined;
}

/** The object under a path of keys; undefined when any step is missing or no object. */
export function objectAt(object: JsonObject | null | undefined, ...path: string[]): JsonObject | undefined {
  let current: unknown = object;
  for (const key of path) current = isObject(current) ? current[key] : undefined;
  return isObject(current) ? current : undefined;
}

/** The objects of an array field; none when it is missing or no array. */
export function objectsOf(object: JsonObject | null | undefined, name: string): JsonObject[] {
  const value = object?.[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The word for a value's type in messages to people. */
export function typeWord(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** What stands where a count should: a number as it is, else its type. */
export function foundWord(value: unknown): string {
  return typeof value === "number" ? String(value) : typeWord(value);
}

/** Why a text is no JSON: cut off before its end (`incomplete`) or wrong inside (`invalid_json`). */
export function jsonFault(text: string): { code: "incomplete" | "invalid_json"; message: string } {
  if (/[}\]]\s*$/.test(text)) return { code: "invalid_json", message: "not valid JSON" };
  return { code: "incomplete", message: "the record ends in the middle: its JSON is cut off" };
}
