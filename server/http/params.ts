/** Query parameters: how each is written in a URL, what it means, and what is said when it is wrong. */
import { z } from "zod";
import { CoalmineError } from "@/server/domain/errors";

/** A list in one parameter, `a,b`, or in several, `x=a&x=b`. */
export function listOf<T extends z.ZodType<unknown, string>>(item: T, description: string) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => (Array.isArray(given) ? given : [given]).flatMap((one) => one.split(",")).filter(Boolean))
    .pipe(z.array(item))
    .optional()
    .meta({ description: `${description} Several: separated by commas.` });
}

export const text = z.string().min(1).max(500);

/** An IANA zone or an offset such as `+02:00`. */
export const zone = text.refine(isZone, "must be an IANA time zone, e.g. Europe/Berlin, or an offset, e.g. +02:00");

/** Epoch ms; written as ISO 8601 or as epoch ms. A time without a zone is UTC. */
export const time = z
  .string()
  .transform((given, context) => {
    const ms = readTime(given);
    if (ms !== null) return ms;
    context.addIssue({ code: "custom", message: "must be a time as ISO 8601, e.g. 2026-03-01T12:00:00Z, or epoch ms" });
    return z.NEVER;
  })
  .optional();

function readTime(given: string): number | null {
  if (/^\d{10,16}$/.test(given)) return Number(given);
  const zoned = /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(given) ? `${given}Z` : given;
  const ms = /^\d{4}-\d\d-\d\d/.test(given) ? Date.parse(zoned) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

export const window = {
  from: time.meta({ description: "Only evidence from this time on (ISO 8601 or epoch ms)." }),
  to: time.meta({ description: "Only evidence before this time (ISO 8601 or epoch ms)." }),
};

export const flag = z
  .enum(["true", "false"])
  .default("false")
  .transform((given) => given === "true");

export const paging = {
  limit: z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(1).max(1000))
    .prefault("100")
    .meta({ description: "Rows a page, 1–1000.", type: "integer", minimum: 1, maximum: 1000 }),
  cursor: text.nullable().default(null).meta({ description: "`next` of the page before." }),
};

export function pageOf(query: { limit: number; cursor: string | null }) {
  return { limit: query.limit, cursor: query.cursor };
}

/** Throws `invalid` that names the parameter. */
export function parseWith<T extends z.ZodType>(schema: T, given: unknown): z.output<T> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new CoalmineError("invalid", parsed.error.issues.slice(0, 3).map(said).join("; "));
}

function said(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `${issue.keys.join(", ")}: not a parameter of this call`;
  return issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message;
}

/** Parameters given twice become lists; a schema that wants one value refuses them. */
export function searchObject(search: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(search.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const all = search.getAll(name);
      return [name, all.length === 1 ? (all[0] ?? "") : all];
    }),
  );
}

function isZone(given: string): boolean {
  if (/^[+-]\d\d:?\d\d$/.test(given)) return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: given });
    return true;
  } catch {
    return false;
  }
}
