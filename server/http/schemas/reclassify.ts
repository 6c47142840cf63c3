/** Answer schemas about judging what is stored by today's rules. */
import { z } from "zod";
import {
  type EvidenceMove,
  type IncidentMove,
  RECLASSIFY_STATES,
  type ReclassifyAnswer,
  type ReclassifyPreview,
  type RereadCount,
  type RolloutMove,
} from "@/server/domain/reclassify";
import { at, count, verdict } from "./words";

const classOrNone = z.string().nullable();

const evidenceMove: z.ZodType<EvidenceMove> = z.object({
  before: classOrNone,
  after: classOrNone,
  n: count,
  samples: z.array(z.object({ at: at.nullable(), source: z.string(), rule: z.string().nullable(), text: z.string() })),
});

const incidentMove: z.ZodType<IncidentMove> = z.object({
  before: classOrNone.meta({ description: "Null: a new incident." }),
  after: classOrNone.meta({ description: "Null: it goes." }),
  n: count,
  samples: z.array(z.object({ id: z.string(), run: z.string().nullable(), summary: z.string() })),
});

const blame = z.object({ verdict, class: classOrNone });
const rolloutMove: z.ZodType<RolloutMove> = z.object({
  before: blame.nullable(),
  after: blame,
  n: count,
  samples: z.array(z.object({ id: z.string(), run: z.string().nullable(), task: z.string(), index: z.number() })),
});

const reread: z.ZodType<RereadCount> = z
  .object({
    deliveries: count,
    lines: count,
    comes: count.meta({ description: "Evidence that is new." }),
    goes: count,
    changes: count,
    left: z
      .object({ older: count, broken: count, cut: count, records: count })
      .meta({ description: "Lines that are not read again, by the reason, and records that are not kept as lines." }),
  })
  .meta({ id: "RereadCount" });

const preview: z.ZodType<ReclassifyPreview> = z.object({
  rulesVersion: z.string(),
  reread: reread
    .nullable()
    .meta({ description: "What reading archived lines again would change; null: nothing to read." }),
  rereadOf: count.nullable().meta({
    description: "Deliveries to be read again, when only the newest were looked at: an estimate. Null: all were.",
  }),
  observations: count,
  changed: count,
  evidence: z.array(evidenceMove),
  incidents: z.array(incidentMove),
  rollouts: z.array(rolloutMove),
  derivedOnly: count
    .nullable()
    .meta({ description: "Incidents and rollouts were derived for the first so many things only; null: for all." }),
});

export const reclassify: z.ZodType<ReclassifyAnswer> = z
  .object({
    rulesVersion: z.string(),
    readerVersion: z.string(),
    unread: z
      .object({ deliveries: count, lines: count, older: count })
      .meta({ description: "Deliveries with archived lines that an older version of the formats read." }),
    state: z.enum(RECLASSIFY_STATES),
    stale: count.meta({ description: "Observations that other rules judged, repeats counted too." }),
    done: count,
    total: count,
    startedAt: at.nullable(),
    preview: preview.nullable(),
    last: z.object({ endedAt: at, observations: count, changed: count, reread: reread.nullable() }).nullable(),
    problem: z.string().nullable(),
  })
  .meta({ id: "Reclassify" });
