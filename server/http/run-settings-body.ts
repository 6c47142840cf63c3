/** `PUT /runs/{run}`: what may be said of a run, and how it joins what was said before. */
import { z } from "zod";
import type { RunDirectory } from "@/server/derive/run-directory";
import { CoalmineError } from "@/server/domain/errors";
import type { ConfigValue, FlatConfig } from "@/server/domain/rollout";
import type { RunSettings } from "@/server/domain/run";
import { redactConfig } from "@/server/ingest/redact";
import { time } from "./params";

const MOST_PATHS = 2000;
const name = z.string().min(1).max(500);

export const runSettingsBody = z.strictObject({
  name: name.nullable().optional(),
  planned: z.number().int().min(0).nullable().optional(),
  config: z
    .record(z.string(), z.unknown())
    .nullable()
    .optional()
    .meta({ description: "Nested or flat; a path with null is cleared." }),
  notes: z.string().max(20_000).nullable().optional(),
  labels: z.record(z.string(), z.string().max(500).nullable()).nullable().optional(),
  aliases: z
    .array(name)
    .max(10_000)
    .nullable()
    .optional()
    .meta({ description: "Run labels that count as this run. Replaces the list." }),
  passAt: z.number().nullable().optional().meta({ description: "Reward from which a rollout passed; default 1." }),
  endedAt: z
    .union([z.null(), time])
    .optional()
    .meta({ description: "When the run ended (ISO 8601); until then nothing is missing." }),
});
export type RunSettingsBody = z.output<typeof runSettingsBody>;

const UNSAID = {
  name: null,
  planned: null,
  config: {},
  notes: null,
  labels: {},
  aliases: [],
  passAt: 1,
  endedAt: null,
};

/** Throws `conflict` for an alias that cannot be one, `invalid` for a config that is too large. `now` in epoch ms. */
export function mergeRunSettings(input: {
  id: string;
  before: RunSettings | null;
  said: RunSettingsBody;
  directory: RunDirectory;
  now: number;
}): RunSettings {
  const { id, said, directory, now } = input;
  const before: RunSettings = input.before ?? { id, ...UNSAID, updatedAt: now };
  if (directory.ownerOf(id) !== id) {
    throw new CoalmineError("conflict", `"${id}" is an alias of "${directory.ownerOf(id)}": say it of that run.`);
  }
  for (const alias of said.aliases ?? []) requireFree(alias, id, directory);
  return {
    id,
    name: merged(before.name, said.name),
    planned: merged(before.planned, said.planned),
    config: said.config === null ? {} : mergeConfig(before.config, said.config ?? {}),
    notes: merged(before.notes, said.notes),
    labels: said.labels === null ? {} : mergeLabels(before.labels, said.labels ?? {}),
    aliases: said.aliases === undefined ? before.aliases : [...new Set(said.aliases ?? [])],
    passAt: merged<number | null>(before.passAt, said.passAt) ?? UNSAID.passAt,
    endedAt: merged(before.endedAt, said.endedAt),
    updatedAt: now,
  };
}

function merged<T>(before: T, said: T | undefined): T {
  return said === undefined ? before : said;
}

function requireFree(alias: string, id: string, directory: RunDirectory): void {
  if (alias === id) throw new CoalmineError("conflict", `aliases: "${alias}" is the run itself.`);
  const owner = directory.settings.find((one) => one.id !== id && one.aliases.includes(alias));
  if (owner) throw new CoalmineError("conflict", `aliases: "${alias}" is an alias of "${owner.id}" already.`);
}

function mergeLabels(before: Record<string, string>, said: Record<string, string | null>): Record<string, string> {
  const labels = { ...before };
  for (const [key, value] of Object.entries(said)) {
    if (value === null) delete labels[key];
    else labels[key] = value;
  }
  return labels;
}

/** A path that is said replaces what was under it and above it; null takes it away. */
function mergeConfig(before: FlatConfig, said: Record<string, unknown>): FlatConfig {
  const config: FlatConfig = { ...before };
  for (const [path, value] of flatten(said)) {
    for (const known of Object.keys(config)) {
      if (known === path || known.startsWith(`${path}.`) || path.startsWith(`${known}.`)) delete config[known];
    }
    if (value !== null) config[path] = value;
  }
  if (Object.keys(config).length > MOST_PATHS)
    throw new CoalmineError("invalid", `config: more than ${MOST_PATHS} paths`);
  return redactConfig(config);
}

/** Nested settings as `key.path → value`; a list of values becomes one JSON text. */
function flatten(value: Record<string, unknown>, prefix = ""): [string, ConfigValue][] {
  return Object.entries(value).flatMap(([key, inner]): [string, ConfigValue][] => {
    const path = prefix + key;
    if (inner instanceof Date) return [[path, inner.toISOString()]];
    if (Array.isArray(inner)) return [[path, JSON.stringify(inner)]];
    if (inner !== null && typeof inner === "object") return flatten(inner as Record<string, unknown>, `${path}.`);
    return [[path, scalar(inner)]];
  });
}

function scalar(value: unknown): ConfigValue {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}
