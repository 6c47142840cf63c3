/** Many cycles at once: how creates slow down and what is refused. Refusals are backed off from, and counted. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { z } from "zod";
import type { CycleResult } from "../cycle";
import { pause } from "../pause";
import { percentilesOf, round } from "../percentiles";
import { SETUP_FIELDS } from "../setup";
import { definePlan, type Emit, type PlanContext } from "./plan";
import { classList, countClasses, fairCycles, leftOut, trialsOf } from "./tally";

const optionsSchema = z.strictObject({
  ...SETUP_FIELDS,
  cycles: z
    .number()
    .int()
    .min(1)
    .max(2000)
    .default(64)
    .describe("Sandboxes asked for; at once as far as the target's bound allows."),
  rampS: z.number().min(0).max(600).default(2).describe("Seconds over which the creates are spread."),
  commands: z.number().int().min(0).max(20).default(1).describe("Commands in each sandbox."),
  holdS: z.number().min(0).max(600).default(0).describe("Idle seconds before each command."),
  tries: z.number().int().min(1).max(20).default(5).describe("Tries of a create that was refused with 429 or 503."),
});
type Options = z.infer<typeof optionsSchema>;

/** The histogram counts from tick to tick, so its own tick is in every value. */
const LOOP_TICK_MS = 5;
/** Waits that grow by doubling when the target does not say how long. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

interface Refusals {
  byStatus: Record<string, number>;
  classes: Record<string, number>;
  backedOffMs: number;
  givenUp: number;
}

export const burst = definePlan<Options>({
  name: "burst",
  title: "Many sandboxes at once: how creates slow down, what is refused, and what breaks",
  optionsSchema,
  lifetimeS: (options) => Math.ceil((options.holdS * options.commands + 60) * 1.5),
  async run(context, options, signal, emit) {
    const loop = monitorEventLoopDelay({ resolution: LOOP_TICK_MS });
    loop.enable();
    const refusals: Refusals = { byStatus: {}, classes: {}, backedOffMs: 0, givenUp: 0 };
    const startedAt = performance.now();
    const cycles: CycleResult[] = [];
    await Promise.all(
      Array.from({ length: options.cycles }, async (_, i) => {
        await pause((options.rampS * 1000 * i) / options.cycles, signal);
        if (signal.aborted) return;
        cycles.push(await untilTaken(context, options, signal, refusals));
        emit.progress(`${cycles.length} of ${options.cycles} cycles`, cycles.length, options.cycles);
        if (cycles.length % 20 === 0) emitPoint(emit, cycles);
      }),
    );
    loop.disable();
    const tookS = (performance.now() - startedAt) / 1000;
    return resultOf(context, options, {
      cycles,
      refusals,
      tookS,
      loopP99Ms: round(Math.max(0, loop.percentile(99) / 1e6 - LOOP_TICK_MS)),
    });
  },
});

/** Cycles until one is not refused. A refused create made nothing, so it may be asked for again. */
async function untilTaken(
  context: PlanContext,
  options: Options,
  signal: AbortSignal,
  refusals: Refusals,
): Promise<CycleResult> {
  const gapsMs = Array.from({ length: options.commands }, () => options.holdS * 1000);
  for (let tries = 1; ; tries++) {
    const cycle = await context.cycle({ healthCheck: true, gapsMs });
    const status = refusedWith(cycle);
    if (status === null) return cycle;
    count(refusals.byStatus, String(status));
    count(refusals.classes, cycle.failed?.class ?? "none");
    if (tries >= options.tries || signal.aborted) {
      refusals.givenUp += 1;
      return cycle;
    }
    const waitMs = cycle.retryAfterS === null ? FIRST_WAIT_MS * 2 ** (tries - 1) : cycle.retryAfterS * 1000;
    const bounded = Math.min(LONGEST_WAIT_MS, waitMs);
    refusals.backedOffMs += bounded;
    context.backOff(bounded);
    // Not all at the same moment again.
    await pause(bounded * (1 + Math.random() * 0.5), signal);
  }
}

function refusedWith(cycle: CycleResult): number | null {
  const status = cycle.steps[0]?.name === "create" ? (cycle.steps[0].record?.status ?? null) : null;
  return status === 429 || status === 503 ? status : null;
}

function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

function createTimes(cycles: readonly CycleResult[]): number[] {
  return fairCycles(cycles).flatMap((cycle) => cycle.steps.filter((s) => s.name === "create" && s.ok).map((s) => s.ms));
}

function emitPoint(emit: Emit, cycles: readonly CycleResult[]): void {
  emit.point({ done: cycles.length, createMs: percentilesOf(createTimes(cycles)) });
}

interface Seen {
  cycles: CycleResult[];
  refusals: Refusals;
  tookS: number;
  loopP99Ms: number;
}

function resultOf(context: PlanContext, options: Options, { cycles, refusals, tookS, loopP99Ms }: Seen) {
  const trials = trialsOf(cycles);
  const create = percentilesOf(createTimes(cycles));
  const classes = countClasses(fairCycles(cycles));
  const refused = Object.values(refusals.byStatus).reduce((sum, n) => sum + n, 0);
  const atOnce = Math.min(options.cycles, context.target.bounds.maxConcurrent);
  const bound = atOnce < options.cycles ? ` (${atOnce} at once: the target's bound)` : "";
  const times = create
    ? ` Creates took ${(create.p50 / 1000).toFixed(2)} s in the middle, ${(create.p99 / 1000).toFixed(2)} s at the 99th percentile.`
    : "";
  const storm = refused > 0 ? ` ${refused} creates were refused with 429 or 503 and asked for again.` : "";
  const why = trials.failed > 0 ? ` Failures: ${classList(classes)}.` : "";
  return {
    ok: trials.n === 0 ? null : trials.failed === 0,
    sentence: `${trials.n - trials.failed} of ${trials.n} cycles passed${bound} in ${tookS.toFixed(1)} s.${times}${storm}${why}${leftOut(trials)}`,
    trials,
    detail: {
      createMs: create,
      cycleMs: percentilesOf(fairCycles(cycles).map((cycle) => cycle.ms)),
      classes,
      refusals,
      atOnce,
      tookS: round(tookS),
      loopDelayP99Ms: loopP99Ms,
    },
  };
}
