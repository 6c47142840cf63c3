/** Answer schemas shared by several calls: what OpenAPI says of rates, means and the closed vocabularies. */
import { z } from "zod";
import type { FamilyCounts } from "@/server/domain/answers";
import type { Mean, Rate } from "@/server/domain/rate";
import { CONFIDENCES, FAMILIES, ORIGINS, OUTCOMES, OWNERS, VERDICTS } from "@/server/domain/taxonomy-words";

export const family = z.enum(FAMILIES);
export const owner = z.enum(OWNERS);
export const outcome = z.enum(OUTCOMES);
export const confidence = z.enum(CONFIDENCES);
export const verdict = z.enum(VERDICTS);
export const origin = z.enum(ORIGINS);

/** ISO 8601 UTC with milliseconds. */
export const at = z.string().meta({ format: "date-time" });
export const count = z.number().int().min(0);
export const configValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const flatConfig = z.record(z.string(), configValue);

export const rate: z.ZodType<Rate> = z
  .object({ k: count, n: count, value: z.number(), low: z.number(), high: z.number() })
  .meta({ id: "Rate", description: "k of n as a fraction, with its Wilson 95 % interval." });

export const mean: z.ZodType<Mean> = z
  .object({ n: count, value: z.number(), low: z.number().nullable(), high: z.number().nullable() })
  .meta({ id: "Mean", description: "A mean with its 95 % interval from resampled tasks." });

export const familyCounts: z.ZodType<FamilyCounts> = z
  .object({
    disconnect: count,
    proxy: count,
    oom: count,
    startup: count,
    scheduling: count,
    node: count,
    other: count,
  })
  .meta({ id: "FamilyCounts" });
