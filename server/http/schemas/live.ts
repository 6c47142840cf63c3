/** Answer schema of what readers are told live. */
import { z } from "zod";
import type { LiveEvent } from "@/server/domain/live";

export const liveEvent: z.ZodType<LiveEvent> = z
  .object({
    id: z.number().int().meta({ description: "Version of the data." }),
    type: z.enum(["hello", "runs", "deliveries"]),
  })
  .meta({ id: "LiveEvent", description: "One `data:` of the stream; `event:` repeats the type." });
