/** What every plan lets a request set about its sandboxes and connections, within bounds, over the target's own settings. */
import { z } from "zod";
import { CoalmineError } from "@/server/domain/errors";
import { PROFILES, type TransportProfile } from "./profile";
import { imageSchema, metadataSchema, resources, type Target } from "./target";

export const PROFILE_NAMES = ["bounded", "unbounded", "fresh"] as const;

/** Numbers of a transport profile; what is left out is the named profile's. */
export const transportSchema = z.strictObject({
  profile: z.enum(PROFILE_NAMES).default("bounded").describe("How connections are kept."),
  keepaliveExpiryS: z
    .number()
    .min(0)
    .max(3600)
    .nullable()
    .optional()
    .describe("Seconds an idle socket may be used again; null: the client library's own default."),
  connections: z.number().int().min(1).max(2000).optional().describe("Sockets at once to one origin."),
  connectRetries: z.number().int().min(0).max(10).optional().describe("Tries of a TCP connect that failed."),
  connectTimeoutMs: z.number().int().min(100).max(60_000).optional(),
});
export type TransportOptions = z.infer<typeof transportSchema>;

/** Pieces of every plan's options; a plan adds its own beside them. */
export const SETUP_FIELDS = {
  transport: transportSchema.default({ profile: "bounded" }),
  limits: resources.optional().describe("Kubernetes limits, e.g. cpu 500m, memory 512Mi."),
  requests: resources.optional().describe("Kubernetes requests."),
  image: imageSchema.optional(),
  metadata: metadataSchema.default({}),
  timeoutS: z.number().int().min(60).max(3600).optional().describe("Seconds a sandbox may live."),
  createDeadlineS: z.number().min(1).max(600).optional().describe("Seconds until a create is given up."),
  readyDeadlineS: z.number().min(1).max(600).optional().describe("Seconds until a sandbox must be ready."),
  execDeadlineS: z.number().min(1).max(600).default(30).describe("Seconds until a command is given up."),
};
/** For plans that take the idle gaps of a real run. The API reads them from what was ingested before the engine is asked. */
export const RUN_FIELDS = {
  run: z.string().min(1).max(300).optional().describe("A run whose idle gaps are read from what was ingested."),
  gapsFrom: z.string().max(500).optional().describe("Where the gaps come from, for the record; written by the server."),
};
const setupSchema = z.object(SETUP_FIELDS);
export type SetupOptions = z.infer<typeof setupSchema>;

/** Everything a sandbox of one plan is made and used with. */
export interface Setup {
  image: string;
  limits: Record<string, string>;
  requests: Record<string, string>;
  metadata: Record<string, string>;
  timeoutS: number;
  createDeadlineMs: number;
  readyDeadlineMs: number;
  execDeadlineMs: number;
  profile: TransportProfile;
}

/** The target's settings with a request's over them. Throws `invalid` when the create would be given up before the ready wait. */
export function setupOf(target: Target, options: SetupOptions): Setup {
  const createDeadlineS = options.createDeadlineS ?? target.createDeadlineS;
  const readyDeadlineS = options.readyDeadlineS ?? target.readyDeadlineS;
  if (createDeadlineS <= readyDeadlineS) {
    throw new CoalmineError(
      "invalid",
      `createDeadlineS: ${createDeadlineS} must be above readyDeadlineS, which is ${readyDeadlineS}`,
    );
  }
  return {
    image: options.image ?? target.image,
    limits: given({ ...target.resources.limits, ...options.limits }),
    requests: given({ ...target.resources.requests, ...options.requests }),
    metadata: { ...target.labels, ...options.metadata },
    timeoutS: options.timeoutS ?? target.timeoutS,
    createDeadlineMs: createDeadlineS * 1000,
    readyDeadlineMs: readyDeadlineS * 1000,
    execDeadlineMs: options.execDeadlineS * 1000,
    profile: profileOf(options.transport),
  };
}

export function profileOf(options: TransportOptions): TransportProfile {
  const { profile, ...numbers } = options;
  const set = Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined));
  return { ...PROFILES[profile], ...set };
}

function given(map: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(map).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
