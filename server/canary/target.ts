/** Canary targets come from the operator's configuration only; a request names one and never carries a URL or a key. */
import { z } from "zod";
import { PLAN_NAMES } from "@/server/domain/canary";

/** Kubernetes label value as OpenSandbox checks it: no spaces, slashes or colons. */
const labelValue = z
  .string()
  .max(63)
  .regex(/^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/, "must be a Kubernetes label value");
const LABEL_KEY = /^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** Metadata becomes Kubernetes labels; what the canary itself writes may not be overwritten. */
export const metadataSchema = z.record(z.string(), labelValue).superRefine((map, context) => {
  const refuse = (key: string, message: string): void => context.addIssue({ code: "custom", path: [key], message });
  for (const key of Object.keys(map)) {
    if (!LABEL_KEY.test(key)) refuse(key, "must be a Kubernetes label key");
    else if (key.startsWith("opensandbox.io/")) refuse(key, "the prefix opensandbox.io/ is reserved");
    else if (key === "app" || key.startsWith("coalmine-")) refuse(key, "is written by the canary itself");
  }
  if (Object.keys(map).length > 20) context.addIssue({ code: "custom", message: "20 entries at most" });
});

export const quantity = z
  .string()
  .regex(/^\d+(\.\d+)?(m|k|Ki|M|Mi|G|Gi|T|Ti)?$/, "must be a Kubernetes quantity such as 500m or 512Mi");
export const resources = z.strictObject({ cpu: quantity.optional(), memory: quantity.optional() });

export const imageSchema = z.string().regex(/^[a-zA-Z0-9][\w.\-/:@]{0,500}$/, "must be an image reference");

const duration = z.string().regex(/^\d+(s|m|h)$/, "must be a duration such as 30s, 5m or 1h");

export const targetSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/, "must be lower-case letters, digits and dashes"),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !URL.canParse(url) || (new URL(url).username === "" && new URL(url).password === ""), {
      error: "must hold no user or password; name the variable of the key in apiKeyEnv",
    }),
  /** Name of the environment variable that holds the API key; the key itself is never in the file. */
  apiKeyEnv: z
    .string()
    .regex(/^[A-Z_][A-Z0-9_]*$/)
    .optional(),
  /** How commands reach the exec daemon. */
  mode: z.enum(["server-proxy", "direct", "gateway"]).default("server-proxy"),
  image: imageSchema.default("debian:bookworm-slim"),
  entrypoint: z.array(z.string()).min(1).default(["tail", "-f", "/dev/null"]),
  resources: z
    .strictObject({
      limits: resources.default({ cpu: "500m", memory: "512Mi" }),
      requests: resources.default({ cpu: "100m", memory: "128Mi" }),
    })
    .default({ limits: { cpu: "500m", memory: "512Mi" }, requests: { cpu: "100m", memory: "128Mi" } }),
  /** Seconds a canary sandbox may live; always sent, or it would never expire. */
  timeoutS: z.number().int().min(60).max(3600).default(120),
  createDeadlineS: z.number().min(5).max(600).default(90),
  readyDeadlineS: z.number().min(1).max(600).default(60),
  labels: metadataSchema.default({}),
  /** Passed to the server as they are, e.g. `poolRef`. */
  extensions: z.record(z.string().max(100), z.string().max(500)).default({}),
  cluster: z.string().default("default"),
  /** Asked for node and limits of a sandbox's pod where the sandbox server does not tell them. */
  kubernetes: z
    .strictObject({
      apiServer: z.url({ protocol: /^https?$/ }),
      /** Name of the environment variable that holds a bearer token which may list pods. */
      tokenEnv: z
        .string()
        .regex(/^[A-Z_][A-Z0-9_]*$/)
        .optional(),
      namespace: z
        .string()
        .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/)
        .default("opensandbox"),
      /** PEM file of the API server's authority. */
      caFile: z.string().min(1).optional(),
    })
    .optional(),
  bounds: z
    .strictObject({
      maxConcurrent: z.number().int().min(1).max(2000).default(64),
      maxCreatesPerMinute: z.number().int().min(1).max(10_000).default(600),
      maxDurationS: z.number().int().min(1).max(86_400).default(900),
      plans: z.array(z.enum(PLAN_NAMES)).default([...PLAN_NAMES]),
    })
    .default({ maxConcurrent: 64, maxCreatesPerMinute: 600, maxDurationS: 900, plans: [...PLAN_NAMES] }),
  schedules: z
    .array(
      z.strictObject({
        plan: z.enum(PLAN_NAMES),
        every: duration,
        options: z.record(z.string(), z.unknown()).default({}),
      }),
    )
    .default([]),
});

export type Target = z.infer<typeof targetSchema>;

export const configSchema = z
  .looseObject({ targets: z.array(targetSchema).default([]), runLabel: z.string().min(1).max(317).optional() })
  .superRefine((config, context) => {
    const names = config.targets.map((target) => target.name);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined)
      context.addIssue({ code: "custom", path: ["targets"], message: `two targets are named ${twice}` });
    for (const [i, target] of config.targets.entries()) {
      if (target.createDeadlineS <= target.readyDeadlineS) {
        context.addIssue({
          code: "custom",
          path: ["targets", i, "createDeadlineS"],
          message: "must be above readyDeadlineS",
        });
      }
    }
  });

/** Milliseconds of `30s`, `5m`, `1h`. */
export function durationMs(text: string): number {
  const unit = { s: 1_000, m: 60_000, h: 3_600_000 }[text.slice(-1)] ?? Number.NaN;
  return Number(text.slice(0, -1)) * unit;
}
