/** One plan under two settings, round by round in turns, compared as runs are compared. */
import { z } from "zod";
import { headlineVerdict } from "@/server/compare/verdict";
import type { PlanResult } from "@/server/domain/canary";
import { CoalmineError } from "@/server/domain/errors";
import { fisherExact, newcombe } from "@/server/stats/difference";
import { percent, points } from "@/server/stats/percent";
import { wilson } from "@/server/stats/proportion";
import { SETUP_FIELDS, type SetupOptions, setupOf, transportSchema } from "../setup";
import { resources, type Target } from "../target";
import { type AnyPlan, definePlan, type PlanContext } from "./plan";

const armSchema = z.strictObject({
  name: z.string().min(1).max(40).optional(),
  transport: transportSchema.optional(),
  limits: resources.optional(),
  requests: resources.optional(),
});
type Arm = z.infer<typeof armSchema>;

/** Plans whose answer counts tries and failures. */
export const COMPARABLE = ["smoke", "idle-gap", "create-race", "burst", "node-check", "replay"] as const;

const optionsSchema = z.strictObject({
  ...SETUP_FIELDS,
  plan: z.enum(COMPARABLE).describe("The plan that both arms run."),
  options: z.record(z.string(), z.unknown()).default({}).describe("Its options, the same for both."),
  a: armSchema.describe("What is set for the first arm."),
  b: armSchema.describe("What is set for the second arm."),
  rounds: z.number().int().min(1).max(200).default(5).describe("Rounds; in each both arms run once, in turns."),
});
type Options = z.infer<typeof optionsSchema>;

interface Sum {
  n: number;
  failed: number;
  ownFaults: number;
}

/** `planOf` finds the inner plan; given, so that a list of plans may hold this one. */
export function abPlan(planOf: (name: string) => AnyPlan): AnyPlan {
  return definePlan<Options>({
    name: "ab",
    title: "One plan under two settings in turns: which loses less?",
    optionsSchema,
    check(options, target) {
      if (!target.bounds.plans.includes(options.plan)) {
        throw new CoalmineError("invalid", `plan: ${options.plan} is not allowed on this target`);
      }
      for (const side of ["a", "b"] as const) armOptions(planOf(options.plan), options, options[side], target);
    },
    lifetimeS: (options) =>
      planOf(options.plan).lifetimeS?.(armOptions(planOf(options.plan), options, options.a, null)) ?? 0,
    async run(context, options, signal, emit) {
      const plan = planOf(options.plan);
      const sums = { a: emptySum(), b: emptySum() };
      const last: { a: PlanResult | null; b: PlanResult | null } = { a: null, b: null };
      const quiet = { progress: () => undefined, point: () => undefined };
      for (let round = 0; round < options.rounds && !signal.aborted; round++) {
        // Turns change sides, so that a drift of the target touches both arms alike.
        for (const side of round % 2 === 0 ? (["a", "b"] as const) : (["b", "a"] as const)) {
          const inner = armOptions(plan, options, options[side], context.target);
          const result = await plan.run(armContext(context, inner), inner, signal, quiet);
          if (signal.aborted) break;
          last[side] = result;
          add(sums[side], result.trials);
        }
        emit.progress(`round ${round + 1} of ${options.rounds}`, round + 1, options.rounds);
        emit.point({ round: round + 1, a: { ...sums.a }, b: { ...sums.b } });
      }
      return compared(options, sums, last);
    },
  });
}

/** The inner plan's options of one arm, checked by its own schema. Throws `invalid` with the reason. */
function armOptions(plan: AnyPlan, options: Options, arm: Arm, target: Target | null): SetupOptions {
  const { name: _, ...set } = arm;
  const own = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
  const shared = Object.fromEntries(
    Object.keys(SETUP_FIELDS).map((key) => [key, options[key as keyof typeof SETUP_FIELDS]] as const),
  );
  const parsed = plan.optionsSchema.safeParse({ ...shared, ...options.options, ...own });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new CoalmineError("invalid", `options.${issue?.path.join(".")}: ${issue?.message}`);
  }
  const inner = plan.forArm?.(parsed.data) ?? parsed.data;
  if (target) {
    setupOf(target, inner);
    plan.check?.(inner, target);
  }
  return inner;
}

function armContext(context: PlanContext, inner: SetupOptions): PlanContext {
  const { timeoutS } = context.setup;
  const setup = setupOf(context.target, inner);
  return context.with({ ...setup, timeoutS: Math.max(timeoutS, setup.timeoutS) });
}

function emptySum(): Sum {
  return { n: 0, failed: 0, ownFaults: 0 };
}

function add(sum: Sum, trials: PlanResult["trials"]): void {
  sum.n += trials?.n ?? 0;
  sum.failed += trials?.failed ?? 0;
  sum.ownFaults += trials?.ownFaults ?? 0;
}

function compared(
  options: Options,
  { a, b }: { a: Sum; b: Sum },
  last: { a: PlanResult | null; b: PlanResult | null },
) {
  const [first, second] = [
    { k: a.failed, n: a.n },
    { k: b.failed, n: b.n },
  ];
  const difference = newcombe(first, second);
  const p = difference ? fisherExact(first, second) : null;
  const estimate = difference && {
    difference: difference.value,
    low: difference.low,
    high: difference.high,
    p,
    method: "Newcombe hybrid score, Fisher exact",
  };
  const judged = headlineVerdict(estimate);
  const rates = { a: wilson(a.failed, a.n), b: wilson(b.failed, b.n) };
  const names = { a: nameOf(options.a, "a"), b: nameOf(options.b, "b") };
  const said = (side: "a" | "b") => {
    const rate = rates[side];
    return rate === null
      ? `${names[side]}: no data`
      : `${names[side]} lost ${percent(rate.value)} (${rate.k} of ${rate.n})`;
  };
  const word = {
    better: `${names.b} is better`,
    worse: `${names.b} is worse`,
    no_clear_change: "No clear difference",
    too_little_data: "Too little data",
  }[judged.verdict];
  const size = difference ? `, ${points(difference.value)} apart` : "";
  return {
    ok: null,
    sentence: `${word}: ${said("a")}, ${said("b")}${size}. ${judged.reason}`,
    trials: null,
    detail: {
      ...judged,
      plan: options.plan,
      names,
      rates,
      difference,
      p,
      ownFaults: { a: a.ownFaults, b: b.ownFaults },
      last,
    },
  };
}

function nameOf(arm: Arm, side: string): string {
  if (arm.name !== undefined) return arm.name;
  const memory = arm.limits?.memory;
  return (
    [arm.transport?.profile, memory === undefined ? undefined : `${memory} limit`].filter(Boolean).join(", ") || side
  );
}
