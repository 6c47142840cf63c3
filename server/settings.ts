/** The settings of a process: environment variables, checked once at start. What is unknown or malformed stops the start. */
import { isIP } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { type AccessToken, TOKEN_ROLES, type TokenRole } from "@/server/domain/access";
import { CoalmineError } from "@/server/domain/errors";

export interface Settings {
  host: string;
  port: number;
  /** Absolute folder of the store. */
  dataDir: string;
  /** Address by which others reach the server; null when there is none. */
  publicUrl: string | null;
  tokens: readonly AccessToken[];
  /** File with canary targets and the like; null when there is none. */
  configPath: string | null;
  /** Decoded bytes of one delivery. */
  maxBodyBytes: number;
  /** Bytes that all unfinished uploads together may become. */
  uploadBytes: number;
  /** Days of evidence to keep; null = all. */
  retentionDays: number | null;
  /** Bytes that one source may send a minute; null = any. */
  sourceBytesPerMinute: number | null;
  logLevel: string;
}

const MIN_SECRET = 16;
const UNITS: Record<string, number> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

function size() {
  const bytes = z.number({ error: "must be a size such as 512MiB or 16GiB" }).int().positive();
  return z.string().transform(bytesOf).pipe(bytes);
}

const SCHEMA = z.object({
  COALMINE_HOST: z.string().min(1).default("127.0.0.1"),
  COALMINE_PORT: z
    .string()
    .regex(/^\d{1,5}$/, "must be a whole number from 1 to 65535")
    .transform(Number)
    .refine((port) => port >= 1 && port <= 65_535, "must be a whole number from 1 to 65535")
    .default(4180),
  COALMINE_DATA: z.string().min(1).default("./data"),
  COALMINE_STORE: z
    .literal("sqlite", { error: "must be sqlite: this build keeps its data in COALMINE_DATA" })
    .default("sqlite"),
  COALMINE_TOKENS: z.string().optional(),
  COALMINE_PUBLIC_URL: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
  COALMINE_CONFIG: z.string().min(1).optional(),
  COALMINE_MAX_BODY: size().default(64 * 1024 ** 3),
  COALMINE_UPLOAD_SPACE: size().default(64 * 1024 ** 3),
  COALMINE_RETENTION_DAYS: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, "must be a whole number of days, 1 or more")
    .transform(Number)
    .optional(),
  COALMINE_SOURCE_MIB_PER_MINUTE: z
    .string()
    .transform(Number)
    .pipe(z.number({ error: "must be a number of MiB above 0" }).positive("must be a number of MiB above 0"))
    .optional(),
  COALMINE_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
      error: "must be trace, debug, info, warn, error, fatal or silent",
    })
    .default("info"),
});

/** Read by the command line alone, which shares the environment. */
const OF_THE_COMMAND_LINE = ["COALMINE_URL", "COALMINE_TOKEN"];

/** Names of all environment variables that mean something here. */
export const SETTING_NAMES: readonly string[] = [...Object.keys(SCHEMA.shape), ...OF_THE_COMMAND_LINE];

/** Throws `invalid` with the variable's name and the reason; a token's secret is never part of it. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.entries(env).filter(([name, value]) => name.startsWith("COALMINE_") && value !== undefined);
  for (const [name] of given) if (!SETTING_NAMES.includes(name)) throw unknown(name);
  // Empty is how a shell or a manifest says that a variable is not set.
  const parsed = SCHEMA.safeParse(Object.fromEntries(given.filter(([, value]) => value !== "")));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new CoalmineError("invalid", `${String(issue?.path[0])}: ${issue?.message}`);
  }
  const value = parsed.data;
  const tokens = parseTokens(value.COALMINE_TOKENS ?? "");
  if (tokens.length === 0 && !isLoopback(value.COALMINE_HOST)) {
    const reason =
      "is not a loopback address, and no tokens are configured; set COALMINE_TOKENS or listen on 127.0.0.1";
    throw new CoalmineError("invalid", `COALMINE_HOST: "${value.COALMINE_HOST}" ${reason}.`);
  }
  return {
    host: value.COALMINE_HOST,
    port: value.COALMINE_PORT,
    dataDir: resolve(value.COALMINE_DATA),
    publicUrl: value.COALMINE_PUBLIC_URL ?? null,
    tokens,
    configPath: value.COALMINE_CONFIG === undefined ? null : resolve(value.COALMINE_CONFIG),
    maxBodyBytes: value.COALMINE_MAX_BODY,
    uploadBytes: value.COALMINE_UPLOAD_SPACE,
    retentionDays: value.COALMINE_RETENTION_DAYS ?? null,
    sourceBytesPerMinute:
      value.COALMINE_SOURCE_MIB_PER_MINUTE === undefined ? null : value.COALMINE_SOURCE_MIB_PER_MINUTE * 1024 ** 2,
    logLevel: value.COALMINE_LOG_LEVEL,
  };
}

function unknown(name: string): CoalmineError {
  const near = SETTING_NAMES.find((known) => distance(known, name) <= 2);
  const hint = near ? ` Did you mean ${near}?` : ` Known: ${SETTING_NAMES.join(", ")}.`;
  return new CoalmineError("invalid", `${name}: there is no such setting.${hint}`);
}

export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  return bare === "localhost" || bare === "::1" || (isIP(bare) === 4 && bare.startsWith("127."));
}

/** `role:token` or `name:role:token`, separated by commas. */
function parseTokens(text: string): AccessToken[] {
  const tokens = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(parseToken);
  const twice = tokens.find((token, i) =>
    tokens.some((o, j) => j < i && (o.name === token.name || o.secret === token.secret)),
  );
  if (twice)
    throw new CoalmineError("invalid", `COALMINE_TOKENS: the name or token of "${twice.name}" is there twice.`);
  return tokens;
}

function parseToken(text: string, position: number): AccessToken {
  const parts = text.split(":");
  const [name, role, secret] = parts.length === 2 ? [`${parts[0]}-${position + 1}`, ...parts] : parts;
  const fail = (reason: string) => new CoalmineError("invalid", `COALMINE_TOKENS: entry ${position + 1} ${reason}.`);
  if (parts.length < 2 || parts.length > 3 || !name || !role || !secret)
    throw fail("must be role:token or name:role:token");
  if (!isRole(role)) throw fail(`has no known role; use one of ${TOKEN_ROLES.join(", ")}`);
  if (secret.length < MIN_SECRET) throw fail(`has a token shorter than ${MIN_SECRET} characters`);
  return { name, role, secret };
}

function isRole(text: string): text is TokenRole {
  return (TOKEN_ROLES as readonly string[]).includes(text);
}

/** `16GiB`, `512MB`, `1000000` → bytes; NaN when it is no size. Units are powers of 1024. */
function bytesOf(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(text.trim());
  return match ? Math.floor(Number(match[1]) * (UNITS[(match[2] ?? "").toLowerCase()] ?? Number.NaN)) : Number.NaN;
}

/** Letters to change, add or drop to turn one name into the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
