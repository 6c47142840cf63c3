import { expect, test } from "vitest";
import { cpuMillisecondsOf } from "@/test/support/cpu-time";
import { corpus } from "./corpus";
import { Dice, mutated } from "./mutate";
import { faultsOf, formatOf } from "./read-broken";

/** Inputs of each envelope and format; 10 000 of each in a run of its own. */
const INPUTS = Number(process.env.COALMINE_FUZZ ?? 40);
/** How many times as long as the middle one, or as a millisecond, one input may take. */
const MOST_TIMES = 1_000;

test.each(corpus().map((seeds, i) => [seeds.name, seeds, i] as const))(
  "broken %s is read to its end, every record counted",
  (name, { bodies }, position) => {
    const dice = new Dice(20_261_130 + position);
    const inputs: { tookMs: number; shown: string }[] = [];
    for (let i = 0; i < INPUTS; i++) {
      const body = mutated(dice.of(bodies), dice);
      const format = formatOf(name, i);
      let faults: string[] = [];
      const tookMs = cpuMillisecondsOf(() => {
        faults = faultsOf(body, format);
      });
      const shown = `input ${i}: ${body.toString("latin1").slice(0, 300)}`;
      expect(faults, shown).toEqual([]);
      inputs.push({ tookMs, shown });
    }
    inputs.sort((a, b) => a.tookMs - b.tookMs);
    const middleMs = Math.max(1, inputs[Math.floor(INPUTS / 2)]?.tookMs ?? 0);
    const slowest = inputs.at(-1);
    expect((slowest?.tookMs ?? 0) / middleMs, slowest?.shown).toBeLessThan(MOST_TIMES);
  },
  INPUTS * 500 + 30_000,
);
