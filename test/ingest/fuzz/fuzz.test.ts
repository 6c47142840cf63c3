import { expect, test } from "vitest";
import { CoalmineError } from "@/server/domain/errors";
import { DeliveryReader } from "@/server/ingest/detect";
import { ENVELOPES } from "@/server/ingest/envelopes/list";
import { FORMATS } from "@/server/ingest/formats/list";
import { RowSink } from "@/server/ingest/sink";
import { PARAMS, RECEIVED_AT } from "../deliveries";
import { corpus } from "./corpus";
import { Dice, mutated } from "./mutate";

/** Inputs of each envelope and format; 10 000 of each in a run of its own. */
const INPUTS = Number(process.env.COALMINE_FUZZ ?? 40);
const MOST_MS = 1_000;
const NAMES = new Set([...FORMATS, ...ENVELOPES].map((one) => one.name));

/** Reads a body as a delivery does, without a store. */
function read(body: Buffer, format: string) {
  const params = { ...PARAMS, format };
  const sink = new RowSink(params);
  const reader = new DeliveryReader({ params, receivedAt: RECEIVED_AT }, sink, {
    formats: FORMATS,
    envelopes: ENVELOPES,
  });
  for (let at = 0; at < body.length; at += 4_096) reader.push(body.subarray(at, at + 4_096));
  reader.end();
  if (reader.nothingUnderstood) expect(reader.refusal()).toBeInstanceOf(CoalmineError);
  return sink.take(true);
}

function milliseconds(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function holdsTogether({ rows, counts }: ReturnType<typeof read>): void {
  expect(rows.rejects.length).toBe(counts.rejected);
  expect(rows.observations.length).toBe(counts.observations - counts.duplicates);
  expect(rows.rollouts.length).toBe(counts.rollouts);
  const told = counts.observations + counts.rollouts + counts.routine + counts.rejected + rows.planned.length;
  // A record may say only who is who: links and facts, each kept once.
  if (rows.links.length + rows.facts.length === 0) expect(counts.records).toBeLessThanOrEqual(told);
  expect(Object.values(counts).every((n) => Number.isInteger(n) && n >= 0)).toBe(true);
  for (const { at, text, key } of rows.observations) {
    expect(at === null || Number.isFinite(at)).toBe(true);
    expect(text.length).toBeLessThanOrEqual(4_000);
    expect(key).toMatch(/^[0-9a-f]{32}$/);
  }
}

test.each(corpus().map((seeds, i) => [seeds.name, seeds, i] as const))(
  "broken %s is read to its end, every record counted",
  (name, { bodies }, position) => {
    const dice = new Dice(20_261_130 + position);
    for (let i = 0; i < INPUTS; i++) {
      const body = mutated(dice.of(bodies), dice);
      const format = i % 4 === 0 && NAMES.has(name) ? name : "auto";
      const took = milliseconds(() => holdsTogether(read(body, format)));
      // A machine that is busy may pause once; a pattern that runs away does it again.
      if (took > MOST_MS)
        expect(
          milliseconds(() => read(body, format)),
          body.toString("latin1").slice(0, 300),
        ).toBeLessThan(MOST_MS);
    }
  },
  INPUTS * 500 + 30_000,
);
