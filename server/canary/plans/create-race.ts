/** How long after a create's answer the exec daemon does not answer yet, and what a client meets that does not wait for it. */
import { z } from "zod";
import { pause } from "../pause";
import { percentilesOf } from "../percentiles";
import type { ProbeRecord } from "../probe";
import { classifyProbe } from "../probe-evidence";
import { problemOf } from "../problem";
import type { Session } from "../session";
import { SETUP_FIELDS } from "../setup";
import { definePlan, type PlanContext } from "./plan";
import { addClass, type ClassCounts, classList, countClasses, fairCycles, leftOut, trialsOf } from "./tally";

const POLL_MS = 20;

const optionsSchema = z.strictObject({
  ...SETUP_FIELDS,
  tries: z
    .number()
    .int()
    .min(1)
    .max(200)
    .default(5)
    .describe("Sandboxes used at once without waiting, and as many that wait."),
  withHealthCheck: z
    .boolean()
    .default(true)
    .describe("Also do it right: wait for the daemon before the first command."),
});
type Options = z.infer<typeof optionsSchema>;

interface Race {
  /** Time from the create's answer until the daemon was first seen to answer, ms: midway between the last refusal and the first answer. */
  bindMs: number | null;
  /** Half the time between those two. */
  precisionMs: number | null;
  /** Time from the create's answer to our first command: races shorter than this cannot be seen. */
  firstAskMs: number;
  /** Refusals inside the window, the first command's included, as the classifier calls them. */
  refused: ClassCounts;
  /** Our own loop was late: the time is not the target's, and is left out. */
  ownFault: boolean;
}

export const createRace = definePlan<Options>({
  name: "create-race",
  title: "A command right after create: how long does the exec daemon refuse, and does waiting for it help?",
  optionsSchema,
  async run(context, options, signal, emit) {
    const races: Race[] = [];
    const one = async () => {
      const cycle = await context.inSandbox(async (session) => {
        const race = await raceIn(session, context, signal);
        if (!race) return;
        races.push(race);
        emit.point({ ...race });
      });
      emit.progress(`${races.length} of ${options.tries} races`, races.length, options.tries);
      return cycle;
    };
    const without = await Promise.all(Array.from({ length: options.tries }, one));
    const careful = () => context.cycle({ healthCheck: true, gapsMs: [0] });
    const waited = options.withHealthCheck ? await Promise.all(Array.from({ length: options.tries }, careful)) : [];
    return resultOf(races, without, waited);
  },
});

async function raceIn(session: Session, context: PlanContext, signal: AbortSignal): Promise<Race | null> {
  if (!(await session.locate())) return null;
  const createdAt = session.log.createdAt ?? Date.now();
  const firstAskMs = Date.now() - createdAt;
  const first = await session.exec();
  const race: Race = { firstAskMs, refused: {}, bindMs: null, precisionMs: null, ownFault: false };
  const note = (record: ProbeRecord, name: string | null | undefined): void => {
    race.ownFault ||= record.ownFault;
    if (record.status === 502) addClass(race.refused, name ?? null);
  };
  note(first.record, session.log.steps.at(-1)?.class);
  if (first.ok) return { ...race, bindMs: 0, precisionMs: firstAskMs };
  let refusedAt = Date.now();
  const until = createdAt + context.setup.readyDeadlineMs;
  while (!signal.aborted && Date.now() < until) {
    const answer = await session.peek();
    const { record } = answer;
    const ok = record.status === 200;
    note(record, ok ? null : classifyProbe(record, problemOf(answer), record.startedAt - createdAt).class);
    if (ok) {
      await session.exec();
      // The daemon was bound some time between asking in vain and asking with success.
      const askedAt = record.startedAt;
      return { ...race, bindMs: (refusedAt + askedAt) / 2 - createdAt, precisionMs: (askedAt - refusedAt) / 2 };
    }
    refusedAt = Date.now();
    await pause(POLL_MS, signal);
  }
  return race;
}

type Cycles = Parameters<typeof trialsOf>[0];

function resultOf(races: Race[], without: Cycles, waited: Cycles) {
  const fair = races.filter((race) => !race.ownFault);
  const bound = fair.flatMap((race) => (race.bindMs === null ? [] : [race.bindMs]));
  const lost = fair.filter((race) => race.bindMs !== 0).length;
  const bind = percentilesOf(bound);
  const careful = trialsOf(waited);
  const trials = { n: fair.length, failed: lost, ownFaults: races.length - fair.length };
  const classes = countClasses(without);
  const window =
    bind === null
      ? "The exec daemon never answered."
      : `The exec daemon answered ${Math.round(bind.p50)} ms after the create's answer in the middle (slowest ${Math.round(bind.max)} ms).`;
  const skipped = `Without a health check ${lost} of ${fair.length} first commands met it unready`;
  const waiting = careful.n > 0 ? `; with one ${careful.failed} of ${careful.n} cycles failed` : "";
  return {
    ok: careful.n > 0 ? careful.failed === 0 : bind === null ? false : null,
    sentence:
      races.length === 0
        ? `No sandbox came up: ${classList(classes)}.`
        : `${window} ${skipped}${waiting}.${leftOut(trials)}`,
    trials,
    detail: {
      bindMs: bind,
      races,
      inside502: insideOf(fair),
      classesWithout: classes,
      classesWith: countClasses(fairCycles(waited)),
      withHealthCheck: careful,
    },
  };
}

/** 502s of all races, by class. */
function insideOf(races: readonly Race[]): ClassCounts {
  const sum: ClassCounts = {};
  for (const { refused } of races) {
    for (const [name, n] of Object.entries(refused)) sum[name] = (sum[name] ?? 0) + n;
  }
  return sum;
}
