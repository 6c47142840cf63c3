/** A ladder of idle gaps on kept sockets: where reuse begins to fail, for each way of keeping connections. */
import { z } from "zod";
import type { Rate } from "@/server/domain/rate";
import { wilson } from "@/server/stats/proportion";
import type { Endpoint } from "../endpoint";
import { pause } from "../pause";
import { percentilesOf } from "../percentiles";
import { problemOf } from "../problem";
import { PROFILES, type TransportProfile } from "../profile";
import { PROFILE_NAMES, SETUP_FIELDS } from "../setup";
import { dangerOf, gapSentence } from "./idle-gap-picture";
import { definePlan, type Emit, type PlanContext } from "./plan";
import { addClass, type ClassCounts, leftOut } from "./tally";

const LADDER_S = [0.5, 1, 2, 3, 4, 4.5, 4.8, 4.9, 5, 5.1, 6, 8, 10, 15, 20, 30, 45, 60];

const SPREAD_MS = 4;
const OWN_FAULT_TRIES = 3;

const optionsSchema = z.strictObject({
  ...SETUP_FIELDS,
  gapsS: z.array(z.number().min(0).max(600)).min(1).max(60).default(LADDER_S).describe("Idle seconds before reuse."),
  repeats: z.number().int().min(1).max(500).default(10).describe("Sockets for each gap and profile."),
  profiles: z
    .array(z.enum(PROFILE_NAMES))
    .min(1)
    .max(3)
    .default(["bounded", "unbounded"])
    .describe("Ways of keeping connections that are compared; `transport` sets the numbers of its own profile."),
  path: z.enum(["lifecycle", "sandbox"]).default("lifecycle").describe("Which connection is left idle."),
});
type Options = z.infer<typeof optionsSchema>;

/** One kept socket: a first answer, an idle gap, a second request. */
interface Try {
  profile: TransportProfile;
  gapS: number;
}
export interface GapRow {
  profile: string;
  gapS: number;
  sent: number;
  /** Requests that went out on the kept socket; the others opened a fresh one. */
  reused: number;
  /** Of the reused ones. */
  failed: number;
  /** Of the fresh ones. */
  failedFresh: number;
  /** Failures among the reused; null when none was reused. */
  rate: Rate | null;
  classes: ClassCounts;
  ownFaults: number;
  times: number[];
}

export const idleGap = definePlan<Options>({
  name: "idle-gap",
  title: "A ladder of idle gaps on kept sockets: after how long does reuse fail?",
  optionsSchema,
  lifetimeS: (options) => (options.path === "sandbox" ? Math.max(...options.gapsS) * 2 + 60 : 0),
  forArm: (options) => ({ ...options, profiles: [options.transport.profile] }),
  async run(context, options, signal, emit) {
    const rows = new Map<string, GapRow>();
    const connectMs: number[] = [];
    const ladder = async (endpoint: Endpoint | null, sandbox: string | null): Promise<void> => {
      const tries = triesOf(context, options);
      let done = 0;
      const one = async (what: Try): Promise<void> => {
        const to = { endpoint, sandbox, signal, rows, connectMs };
        // Our own trouble says nothing of the target: the socket is tried anew, and each such try is shown.
        for (let left = OWN_FAULT_TRIES; left > 0 && (await attempt(context, what, to)); left--);
        done += 1;
        emit.progress(`${done} of ${tries.length} sockets`, done, tries.length);
        emitRow(emit, rows.get(keyOf(what)));
      };
      // Spread, or they would be in each other's way on our own loop.
      const spread = (what: Try, i: number) =>
        pause(i * SPREAD_MS, signal).then(() => context.inPlace(() => one(what)));
      await Promise.all(tries.map(spread));
    };
    if (options.path === "lifecycle") await ladder(null, null);
    else {
      await context.inSandbox(async (session) => {
        if ((await session.waitRunning()) && (await session.locate()) && (await session.waitPing())) {
          await ladder(session.endpoint, session.sandbox);
        }
      });
    }
    return resultOf([...rows.values()], connectMs);
  },
});

function triesOf(context: PlanContext, options: Options): Try[] {
  const profiles = options.profiles.map((name) =>
    name === context.setup.profile.name ? context.setup.profile : PROFILES[name],
  );
  const gaps = [...options.gapsS].sort((a, b) => a - b);
  return gaps.flatMap((gapS) =>
    profiles.flatMap((profile) =>
      Array.from({ length: options.repeats }, () => ({ profile: { ...profile, connections: 1 }, gapS })),
    ),
  );
}

interface Attempting {
  endpoint: Endpoint | null;
  sandbox: string | null;
  signal: AbortSignal;
  rows: Map<string, GapRow>;
  connectMs: number[];
}

/** True when our own trouble was in it. */
async function attempt(context: PlanContext, { profile, gapS }: Try, to: Attempting): Promise<boolean> {
  const client = context.client(profile);
  const ask = () => (to.endpoint ? client.ping(to.endpoint, to.signal) : client.health(to.signal));
  try {
    const first = await ask();
    if (first.record.status === null) {
      context.probe(first.record, problemOf(first), to.sandbox);
      return false;
    }
    if (first.record.phases.connect !== null) to.connectMs.push(first.record.phases.connect);
    await pause(gapS * 1000, to.signal);
    if (to.signal.aborted) return false;
    const second = await ask();
    const { record } = second;
    const failed = record.status === null;
    const name = context.probe(record, failed ? problemOf(second) : null, to.sandbox);
    note(rowOf(to.rows, profile.name, gapS), record, failed, name);
    return record.ownFault;
  } finally {
    await client.close();
  }
}

function note(
  row: GapRow,
  record: { ownFault: boolean; totalMs: number; socket: { reused: boolean | null } },
  failed: boolean,
  name: string | null,
): void {
  if (record.ownFault) {
    row.ownFaults += 1;
    return;
  }
  row.sent += 1;
  if (record.socket.reused) row.reused += 1;
  if (!failed) row.times.push(record.totalMs);
  else {
    if (record.socket.reused) row.failed += 1;
    else row.failedFresh += 1;
    addClass(row.classes, name);
  }
  row.rate = wilson(row.failed, row.reused);
}

function keyOf({ profile, gapS }: Try): string {
  return `${profile.name}|${gapS}`;
}

function rowOf(rows: Map<string, GapRow>, profile: string, gapS: number): GapRow {
  const key = `${profile}|${gapS}`;
  const known = rows.get(key);
  if (known) return known;
  const counts = { sent: 0, reused: 0, failed: 0, failedFresh: 0, rate: null, ownFaults: 0 };
  const made: GapRow = { profile, gapS, ...counts, classes: {}, times: [] };
  rows.set(key, made);
  return made;
}

function emitRow(emit: Emit, row: GapRow | undefined): void {
  if (!row) return;
  const { profile, gapS, sent, reused, failed, failedFresh, rate, classes } = row;
  emit.point({ profile, gapS, sent, reused, failed, failedFresh, rate, classes });
}

function resultOf(all: GapRow[], connectMs: number[]) {
  const rows = all.sort((a, b) => a.gapS - b.gapS || (a.profile < b.profile ? -1 : 1));
  const danger = dangerOf(rows);
  const failed = rows.reduce((sum, row) => sum + row.failed + row.failedFresh, 0);
  const n = rows.reduce((sum, row) => sum + row.sent, 0);
  const ownFaults = rows.reduce((sum, row) => sum + row.ownFaults, 0);
  return {
    ok: n === 0 ? false : failed === 0,
    sentence: `${gapSentence(rows, danger)}${leftOut({ n, failed, ownFaults })}`,
    trials: { n, failed, ownFaults },
    detail: {
      rows: rows.map(({ times, ...row }) => ({ ...row, ms: percentilesOf(times) })),
      danger,
      connectMs: percentilesOf(connectMs),
    },
  };
}
