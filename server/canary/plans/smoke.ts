import { z } from "zod";
import { SETUP_FIELDS } from "../setup";
import { definePlan } from "./plan";
import { trialsOf, whyFailed } from "./tally";

export const smoke = definePlan({
  name: "smoke",
  title: "One cycle: does a sandbox come up, run a command and go away?",
  optionsSchema: z.strictObject({
    ...SETUP_FIELDS,
    commands: z.number().int().min(1).max(20).default(1).describe("Commands run one after the other."),
  }),
  async run(context, options) {
    const gapsMs = Array.from({ length: options.commands }, () => 0);
    const cycle = await context.cycle({ healthCheck: true, gapsMs });
    const where = cycle.node === null ? "" : ` on ${cycle.node}`;
    const sentence = cycle.ok
      ? `A sandbox came up, ran ${options.commands === 1 ? "its command" : `${options.commands} commands`} and was deleted in ${(cycle.ms / 1000).toFixed(1)} s${where}.`
      : `The cycle failed ${whyFailed(cycle)}${where}.`;
    const steps = cycle.steps.map((step) => ({ name: step.name, ms: step.ms, ok: step.ok, class: step.class }));
    return { ok: cycle.ok, sentence, trials: trialsOf([cycle]), detail: { node: cycle.node, ms: cycle.ms, steps } };
  },
});
