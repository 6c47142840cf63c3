/** What the API says about the product itself. */
import type { TokenRole } from "./access";
import type { ClassId, Confidence, Family, Owner } from "./taxonomy-words";

export interface TaxonomyClass {
  id: ClassId;
  title: string;
  family: Family;
  owner: Owner;
  infra: boolean;
}

/** What evidence proves, and why. `class` null: recognised as no failure. */
export interface TaxonomyRule {
  id: string;
  class: ClassId | null;
  subCause: string | null;
  confidence: Confidence;
  why: string;
  /** The operator's own, from the configuration file. */
  own: boolean;
}

export interface Health {
  ok: boolean;
  store: "ok" | "unavailable";
  version: string;
  taxonomy: string;
  storeBytes: number | null;
  unsettled: number;
  /** What `GET /live` counts changes by; null when the store does not answer. */
  dataVersion: number | null;
}

/** Who is asking. `signIn`: the server asks for tokens; without them everyone is the operator. */
export interface SessionAnswer {
  name: string;
  role: TokenRole;
  signIn: boolean;
}

/** What an undo would remove (`?preview=true`) or removed. */
export interface UndoAnswer {
  preview: boolean;
  batches: number;
  rollouts: number;
  observations: number;
}
