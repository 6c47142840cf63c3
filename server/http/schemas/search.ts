/** Answer schemas of raw lines. */
import { z } from "zod";
import type { LinesAround, RawLine, SearchBeside } from "@/server/domain/raw-lines";
import { incident, rollout } from "./rollouts";
import { at, count, origin } from "./words";

const name = z.string().nullable();

export const rawLine: z.ZodType<RawLine> = z
  .object({
    batch: z.string(),
    line: count.meta({ description: "In its delivery, from 1." }),
    part: count.meta({ description: "Which of the records that share the line." }),
    at: at.nullable(),
    run: name,
    node: name,
    pod: name,
    container: name,
    sandbox: name,
    source: z.string(),
    format: name,
    origin,
    text: z.string(),
    cut: z.boolean().meta({ description: "The text goes on." }),
    matches: z
      .array(z.tuple([z.number(), z.number()]))
      .meta({ description: "[from, to) in `text`, in UTF-16 units." }) as z.ZodType<[number, number][]>,
  })
  .meta({ id: "RawLine" });

export const linesAround: z.ZodType<LinesAround> = z
  .object({ before: z.array(rawLine), line: rawLine, after: z.array(rawLine) })
  .meta({ id: "LinesAround" });

export const searchBeside: z.ZodType<SearchBeside> = z
  .object({
    incidents: z.array(incident),
    rollouts: z.array(rollout),
    of: z.object({ incidents: count, rollouts: count }).meta({ description: "How many of the newest were looked at." }),
  })
  .meta({ id: "SearchBeside" });
