/** What all readers of Kubernetes objects share: where an object stands, its name, its times. */
import type { Payload } from "../format";
import { type JsonObject, textOf } from "./json-fields";
import { timeOf } from "./times";

/** One object being read, with where in the delivery it stands, for messages. */
export interface KubeObject {
  object: JsonObject;
  payload: Payload;
  /** `items[3]`, or empty for an object alone. */
  where: string;
  /** A watch said that the object is gone. */
  deleted: boolean;
}

const UTC = { tz: "+00:00", receivedAt: 0 };

/** Kubernetes times always carry their zone. */
export function kubeTime(value: unknown): number | null {
  return timeOf(value, UTC)?.at ?? null;
}

/** `namespace/name` of an object's metadata. */
export function fullName(metadata: JsonObject): string {
  const namespace = textOf(metadata, "namespace");
  const name = textOf(metadata, "name") ?? "";
  return namespace ? `${namespace}/${name}` : name;
}

/** Path of a field for messages. */
export function pathOf(where: string, field: string): string {
  return where === "" ? field : `${where}.${field}`;
}

export function sampleOf(object: JsonObject): string {
  return JSON.stringify(object).slice(0, 500);
}

export function greatestOf(times: readonly (number | null)[]): number | null {
  const known = times.filter((time): time is number => time !== null);
  return known.length > 0 ? Math.max(...known) : null;
}
