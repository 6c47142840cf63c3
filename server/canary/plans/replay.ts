/** The gaps and the concurrency of a real run, done again with harmless commands. */
import { z } from "zod";
import { CoalmineError } from "@/server/domain/errors";
import { wilson } from "@/server/stats/proportion";
import type { CycleResult } from "../cycle";
import { percentilesOf } from "../percentiles";
import { RUN_FIELDS, SETUP_FIELDS } from "../setup";
import { definePlan } from "./plan";
import { classList, countClasses, fairCycles, leftOut, trialsOf } from "./tally";

const optionsSchema = z.strictObject({
  ...SETUP_FIELDS,
  ...RUN_FIELDS,
  gapsS: z
    .array(z.number().min(0).max(600))
    .min(1)
    .max(500)
    .optional()
    .describe("Idle seconds before each command of a sandbox, as the run had them."),
  sandboxes: z.number().int().min(1).max(500).default(4).describe("Sandboxes that each go through all gaps."),
  offset: z.boolean().default(true).describe("Each sandbox begins at another place of the list."),
});
type Options = z.infer<typeof optionsSchema>;

const LONGEST_S = 3600;

export const replay = definePlan<Options>({
  name: "replay",
  title: "A real run's idle gaps and concurrency, with harmless commands: would it lose them again?",
  optionsSchema,
  check({ gapsS }) {
    if (gapsS === undefined) throw new CoalmineError("invalid", "gapsS: the gaps are missing, or a run that has them");
    const total = gapsS.reduce((sum, gap) => sum + gap, 0);
    if (total > LONGEST_S - 120)
      throw new CoalmineError("invalid", `gapsS: together ${total} s, a sandbox lives ${LONGEST_S} s at most`);
  },
  lifetimeS: ({ gapsS = [] }) => Math.ceil(gapsS.reduce((sum, gap) => sum + gap, 0) + gapsS.length * 2 + 60),
  async run(context, options, signal, emit) {
    const cycles: CycleResult[] = [];
    await Promise.all(
      Array.from({ length: options.sandboxes }, async (_, i) => {
        if (signal.aborted) return;
        cycles.push(await context.cycle({ healthCheck: true, gapsMs: gapsOf(options, i) }));
        emit.progress(`${cycles.length} of ${options.sandboxes} sandboxes`, cycles.length, options.sandboxes);
      }),
    );
    return resultOf(cycles);
  },
});

function gapsOf({ gapsS = [], offset, sandboxes }: Options, i: number): number[] {
  const by = offset ? Math.floor((i * gapsS.length) / sandboxes) : 0;
  return [...gapsS.slice(by), ...gapsS.slice(0, by)].map((gap) => gap * 1000);
}

/** Commands by the idle time that came before them. */
const BANDS_S = [1, 2, 3, 4, 5, 8, 15, 30, 60, 600] as const;

function resultOf(cycles: CycleResult[]) {
  const commands = fairCycles(cycles).flatMap((cycle) =>
    cycle.steps.flatMap((step, i) => {
      const before = cycle.steps[i - 1];
      return step.name === "exec"
        ? [{ ok: step.ok, idleS: before?.name === "idle" ? before.ms / 1000 : 0, ms: step.ms }]
        : [];
    }),
  );
  const bands = BANDS_S.map((toS, i) => {
    const inside = commands.filter(({ idleS }) => idleS <= toS && idleS > (BANDS_S[i - 1] ?? -1));
    return { toS, rate: wilson(inside.filter((one) => !one.ok).length, inside.length) };
  }).filter((band) => band.rate !== null);
  const failed = commands.filter((one) => !one.ok).length;
  const classes = countClasses(fairCycles(cycles));
  const why = Object.keys(classes).length > 0 ? ` Failures: ${classList(classes)}.` : "";
  const trials = { n: commands.length, failed, ownFaults: trialsOf(cycles).ownFaults };
  return {
    ok: commands.length === 0 ? false : fairCycles(cycles).every((cycle) => cycle.ok),
    sentence: `${commands.length === 0 ? "No command counted: " : ""}${failed} of ${commands.length} commands failed in ${cycles.length} sandboxes.${why}${leftOut(trials)}`,
    trials,
    detail: { bands, classes, commandMs: percentilesOf(commands.filter((one) => one.ok).map((one) => one.ms)) },
  };
}
