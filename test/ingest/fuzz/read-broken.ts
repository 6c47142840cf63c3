/** Reads a body as a delivery does, without a store, and says what about the outcome cannot be. */
import { CoalmineError } from "@/server/domain/errors";
import { DeliveryReader } from "@/server/ingest/detect";
import { ENVELOPES } from "@/server/ingest/envelopes/list";
import { FORMATS } from "@/server/ingest/formats/list";
import { RowSink } from "@/server/ingest/sink";
import { PARAMS, RECEIVED_AT } from "../../support/deliveries";

/** As much of a body as comes at once. */
const CHUNK = 4_096;
const NAMES = new Set([...FORMATS, ...ENVELOPES].map((one) => one.name));

/** Every fourth input says what it is, where that name is one of a format. */
export const formatOf = (name: string, i: number): string => (i % 4 === 0 && NAMES.has(name) ? name : "auto");

/** What is wrong with what came of `body`; nothing for a body that was read, or refused with a reason. Throws what the reader throws. */
export function faultsOf(body: Buffer, format: string): string[] {
  const params = { ...PARAMS, format };
  const sink = new RowSink(params);
  const reader = new DeliveryReader({ params, receivedAt: RECEIVED_AT }, sink, {
    formats: FORMATS,
    envelopes: ENVELOPES,
  });
  for (let at = 0; at < body.length; at += CHUNK) reader.push(body.subarray(at, at + CHUNK));
  reader.end();
  const isRefused = !reader.nothingUnderstood || reader.refusal() instanceof CoalmineError;
  return [...(isRefused ? [] : ["refused without a reason"]), ...faultsOfRows(sink.take(true))];
}

function faultsOfRows({ rows, counts }: ReturnType<RowSink["take"]>): string[] {
  const told = counts.observations + counts.rollouts + counts.routine + counts.rejected + rows.planned.length;
  // A record may say only who is who: links and facts, each kept once.
  const mayBeSilent = rows.links.length + rows.facts.length > 0;
  const holds: Record<string, boolean> = {
    "each reject has its row": rows.rejects.length === counts.rejected,
    "each observation has its row": rows.observations.length === counts.observations - counts.duplicates,
    "each rollout has its row": rows.rollouts.length === counts.rollouts,
    "every record is told": mayBeSilent || counts.records <= told,
    "counts are whole": Object.values(counts).every((n) => Number.isInteger(n) && n >= 0),
    "times are dates":
      rows.observations.every(({ at }) => isDate(at)) &&
      rows.rollouts.every(({ startedAt, endedAt }) => isDate(startedAt) && isDate(endedAt)),
    "texts are short": rows.observations.every(({ text }) => text.length <= 4_000),
    "keys are keys": rows.observations.every(({ key }) => /^[0-9a-f]{32}$/.test(key)),
  };
  return Object.entries(holds).flatMap(([what, isSo]) => (isSo ? [] : [`not so: ${what}`]));
}

const isDate = (at: number | null): boolean => at === null || !Number.isNaN(new Date(at).getTime());
