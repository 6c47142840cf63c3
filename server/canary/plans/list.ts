/** Every plan, by name. A new one is one file and one line here. */
import { z } from "zod";
import { PLAN_NAMES, type PlanAnswer, type PlanName } from "@/server/domain/canary";
import { CoalmineError } from "@/server/domain/errors";
import type { SetupOptions } from "../setup";
import { type Setup, setupOf } from "../setup";
import type { Target } from "../target";
import { abPlan } from "./ab";
import { burst } from "./burst";
import { createRace } from "./create-race";
import { idleBoundary } from "./idle-boundary";
import { idleGap } from "./idle-gap";
import { memoryLimit } from "./memory-limit";
import { nodeCheck } from "./node-check";
import type { AnyPlan } from "./plan";
import { replay } from "./replay";
import { smoke } from "./smoke";

const PLANS: readonly AnyPlan[] = [
  smoke,
  idleGap,
  idleBoundary,
  createRace,
  burst,
  memoryLimit,
  nodeCheck,
  replay,
  abPlan(planNamed),
];

/** Throws `invalid` for a name that no plan has. */
export function planNamed(name: string): AnyPlan {
  const plan = PLANS.find((one) => one.name === name);
  if (plan) return plan;
  throw new CoalmineError("invalid", `plan: "${name}" is none of ${PLAN_NAMES.join(", ")}`);
}

export interface CheckedRequest {
  plan: AnyPlan;
  name: PlanName;
  options: SetupOptions;
  setup: Setup;
}

/** Everything that can be wrong with a request is said before anything is made. Throws `invalid` with the reason. */
export function checkRequest(target: Target, planName: string, options: unknown): CheckedRequest {
  const plan = planNamed(planName);
  if (!target.bounds.plans.includes(plan.name)) {
    throw new CoalmineError("invalid", `plan: ${plan.name} is not allowed on target ${target.name}`);
  }
  const parsed = plan.optionsSchema.safeParse(options ?? {});
  if (!parsed.success) throw new CoalmineError("invalid", parsed.error.issues.slice(0, 3).map(said).join("; "));
  const setup = setupOf(target, parsed.data);
  plan.check?.(parsed.data, target);
  const lifetimeS = Math.max(setup.timeoutS, plan.lifetimeS?.(parsed.data) ?? 0);
  return { plan, name: plan.name, options: parsed.data, setup: { ...setup, timeoutS: lifetimeS } };
}

function said(issue: z.core.$ZodIssue): string {
  const path = ["options", ...issue.path].join(".");
  if (issue.code === "unrecognized_keys") return `${path}: ${issue.keys.join(", ")} is no option of this plan`;
  return `${path}: ${issue.message}`;
}

export function planAnswers(): PlanAnswer[] {
  return PLANS.map(({ name, title, optionsSchema }) => {
    const options = z.toJSONSchema(optionsSchema, { io: "input", unrepresentable: "any" });
    return { name, title, options: options as Record<string, unknown> };
  });
}
