/** Answer schema of what readers are told live. */
import { z } from "zod";
import type { LiveEvent } from "@/server/domain/live";
import { rawLine } from "./search";
import { count } from "./words";

export const liveEvent: z.ZodType<LiveEvent> = z
  .object({
    id: z.number().int().meta({ description: "Version of the data." }),
    type: z.enum(["hello", "runs", "deliveries", "lines"]),
    tail: z
      .object({
        items: z.array(rawLine),
        skipped: count.meta({ description: "Matching lines left out: more came than can be read along." }),
        unread: count.meta({ description: "Lines that were not looked through, for the same reason." }),
      })
      .optional(),
  })
  .meta({ id: "LiveEvent", description: "One `data:` of the stream; `event:` repeats the type." });
