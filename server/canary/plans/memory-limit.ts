/** Takes memory in steps to just under and just over the limit: does the sandbox die of it, and is it reported so? */
import { z } from "zod";
import type { Inspected } from "../inspect-text";
import { pause } from "../pause";
import type { Session } from "../session";
import { SETUP_FIELDS } from "../setup";
import { definePlan, type Emit, type PlanContext } from "./plan";
import { countClasses, type trialsOf } from "./tally";

const optionsSchema = z.strictObject({
  ...SETUP_FIELDS,
  limitMiB: z.number().int().min(64).max(65_536).default(256).describe("Memory limit that the sandbox is given, MiB."),
  underShare: z.number().min(0.1).max(0.95).default(0.75).describe("Share of the limit that must be survived."),
  overShare: z.number().min(1.05).max(4).default(1.25).describe("Share of the limit that must not be."),
  steps: z.number().int().min(1).max(10).default(3).describe("Steps up to the share that must be survived."),
});
type Options = z.infer<typeof optionsSchema>;

/** How the end showed: by the server's state, by the pod, by the command's exit code only, by a cut stream, or not at all. */
type Shown = "state" | "pod" | "exit_code" | "stream_cut" | "none";

interface Taken {
  mib: number;
  share: number;
  survived: boolean;
  class: string | null;
  message: string | null;
}

interface Ending {
  shown: Shown[];
  /** The container died; a process in it alone may have. */
  sandboxDied: boolean;
  stateMessage: string | null;
  lastState: string | null;
}

/** How long a server may take to notice. */
const NOTICE_MS = 10_000;

export const memoryLimit = definePlan<Options>({
  name: "memory-limit",
  title: "Memory to just under and just over the limit: does the sandbox die of it, and is that reported?",
  optionsSchema,
  async run(context, options, signal, emit) {
    const memory = `${options.limitMiB}Mi`;
    const { limits, requests } = context.setup;
    const set = { ...context.setup, limits: { ...limits, memory }, requests: { ...requests, memory } };
    const taken: Taken[] = [];
    let ending: Ending | null = null;
    const cycle = await context.with(set).inSandbox(async (session) => {
      const up = (await session.waitRunning()) && (await session.locate()) && (await session.waitPing());
      if (!up) return;
      for (const share of sharesOf(options)) {
        if (signal.aborted) return;
        const step = await take(session, share, options, emit);
        taken.push(step);
        if (!step.survived) {
          ending = await lookAtEnd(session, context, signal, step);
          return;
        }
      }
    });
    return resultOf(options, taken, ending, cycle);
  },
});

function sharesOf({ underShare, overShare, steps }: Options): number[] {
  const under = Array.from({ length: steps }, (_, i) => (underShare * (i + 1)) / steps);
  return [...under, overShare, overShare * 1.5];
}

async function take(session: Session, share: number, options: Options, emit: Emit): Promise<Taken> {
  const mib = Math.round(options.limitMiB * share);
  // tail keeps the one endless line that it is given; nothing else is needed in the image.
  const command = (nonce: string) =>
    `COALMINE_TAKE_MIB=${mib}; head -c ${mib}M /dev/zero | tail -c ${mib}M | wc -c && echo ${nonce}`;
  const done = await session.exec(command);
  const step = session.log.steps.at(-1);
  const row = { mib, share, survived: done.ok, class: step?.class ?? null, message: step?.problem?.message ?? null };
  emit.progress(`${mib} MiB of ${options.limitMiB}`, mib, Math.round(options.limitMiB * options.overShare));
  emit.point(row);
  return row;
}

async function lookAtEnd(session: Session, context: PlanContext, signal: AbortSignal, last: Taken): Promise<Ending> {
  const shown: Shown[] = [];
  const until = Date.now() + NOTICE_MS;
  let stateMessage: string | null = null;
  let inspected: Inspected | null = null;
  let sandboxDied = false;
  do {
    const seen = await context.client().state(session.sandbox ?? "", signal);
    stateMessage = seen.message;
    sandboxDied ||= seen.state === "Failed" || seen.state === "Terminated";
    await session.inspect();
    inspected = session.inspected;
    if (sandboxDied || /OOMKilled/.test(inspected?.lastState ?? "")) break;
    await pause(500, signal);
  } while (Date.now() < until && !signal.aborted);
  const inPod = /OOMKilled/.test(inspected?.lastState ?? "");
  if (/OOMKilled|exit(?:ed with)? code 137/i.test(stateMessage ?? "")) shown.push("state");
  if (inPod) shown.push("pod");
  if (/: (?:137|-1)$/.test(last.message ?? "")) shown.push("exit_code");
  if (last.class?.startsWith("transport.")) shown.push("stream_cut");
  const lastState = inspected?.lastState ?? null;
  return { shown: shown.length > 0 ? shown : ["none"], sandboxDied: sandboxDied || inPod, stateMessage, lastState };
}

function resultOf(
  options: Options,
  taken: Taken[],
  ending: Ending | null,
  cycle: Parameters<typeof trialsOf>[0][number],
) {
  const last = taken.at(-1);
  const early = last !== undefined && !last.survived && last.share <= options.underShare;
  const said = ending !== null && (ending.shown.includes("state") || ending.shown.includes("pod"));
  const detail = { limitMiB: options.limitMiB, taken, ending, classes: countClasses([cycle]) };
  const common = { trials: null, detail };
  if (last === undefined)
    return { ...common, ok: false, sentence: `No memory was taken: ${cycle.failed?.message ?? "no sandbox"}.` };
  if (ending === null) {
    return {
      ...common,
      ok: false,
      sentence: `${last.mib} MiB were taken under a limit of ${options.limitMiB} MiB and nothing was killed: the limit does not hold.`,
    };
  }
  const died = ending.sandboxDied ? "the sandbox was killed" : "the command was killed and the sandbox lived";
  const reported = said
    ? "and it was reported as out of memory"
    : `but nobody said why (seen: ${ending.shown.join(", ")})`;
  const when = early ? "already" : "";
  return {
    ...common,
    ok: !early && said,
    sentence: `At ${last.mib} MiB of ${options.limitMiB} MiB ${died} ${when}, ${reported}.`.replace(" ,", ","),
  };
}
