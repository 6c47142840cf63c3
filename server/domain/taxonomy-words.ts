/**
 * The closed vocabularies of the taxonomy, data first and types second.
 * The classes themselves are data in `server/classify/taxonomy.ts`.
 */

/** What the charts colour; `none` is not an infrastructure failure. */
export const FAMILIES = ["disconnect", "proxy", "oom", "startup", "scheduling", "node", "other", "none"] as const;
export type Family = (typeof FAMILIES)[number];

/** Who must act on a class. */
export const OWNERS = ["infra", "client config", "client", "provider", "task", "agent", "harness", "unknown"] as const;
export type Owner = (typeof OWNERS)[number];

/** What became of the operation that an incident is about. */
export const OUTCOMES = ["fatal", "absorbed", "teardown", "unknown"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** `certain`: a reason or typed error; `likely`: two independent signs; `possible`: one sign. */
export const CONFIDENCES = ["certain", "likely", "possible"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export const VERDICTS = ["passed", "failed", "infra_failed", "not_scored", "missing"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Where evidence comes from: our users' fleet, our own canaries, or the made-up demo fleet. */
export const ORIGINS = ["fleet", "canary", "demo"] as const;
export type Origin = (typeof ORIGINS)[number];

/** A class id such as `transport.stale_keepalive`; the list is `server/classify/taxonomy.ts`. */
export type ClassId = string;
