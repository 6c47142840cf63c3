/** A plan's options with the idle gaps of the run that they name, as far as they are known. */
import { CoalmineError } from "@/server/domain/errors";
import type { Store } from "@/server/domain/store";
import { type RunGaps, runGaps } from "@/server/queries/run-gaps";

/** Plan → the option that takes the gaps. */
const TAKES: Readonly<Record<string, string>> = { replay: "gapsS", "idle-boundary": "runGapsS" };
const MOST_REPLAYED = 500;
const LONGEST_GAP_S = 600;
/** A replayed sandbox lives an hour at most. */
const MOST_SECONDS = 3_000;

/** Options of a plan that names no run come back as they are. Throws `invalid` when nothing times the run's commands. */
export async function withRunGaps(
  store: Store,
  plan: string,
  options: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const field = TAKES[plan];
  const { run } = options;
  if (field === undefined || typeof run !== "string") return options;
  if (options[field] !== undefined) throw new CoalmineError("invalid", `options.run: ${field} is given already`);
  const found = await runGaps(store, { run });
  if (found.gapsS.length === 0) throw new CoalmineError("invalid", unknownText(run, found));
  if (plan !== "replay") return { ...options, [field]: found.gapsS, gapsFrom: fromText(found) };
  const gapsS = replayed(found.gapsS);
  const used = gapsS.length < found.gapsS.length ? `, ${gapsS.length} of them used` : "";
  const sandboxes = options.sandboxes ?? Math.min(MOST_REPLAYED, Math.max(1, found.atOnce));
  return { ...options, gapsS, sandboxes, gapsFrom: `${fromText(found)}${used}` };
}

function unknownText(run: string, { sandboxes: { told, known } }: RunGaps): string {
  const of = known === 0 ? "no sandbox of it is known" : `${told} of its ${known} sandboxes have timed commands`;
  return `options.run: the idle gaps of ${run} are unknown: ${of}. Send the sandbox server's access log or the harness's log, or give the gaps.`;
}

function fromText({ gapsS, sandboxes, toldBy }: RunGaps): string {
  const lines =
    toldBy === "server"
      ? "access lines of the server, from one command's begin to the next one's, to the second"
      : "lines of the harness, from one command's end to the next one's";
  return `${gapsS.length} gaps of ${sandboxes.told} of ${sandboxes.known} sandboxes by ${lines}`;
}

/** As many as a sandbox can live through, taken evenly from all, in their order. */
export function replayed(gapsS: readonly number[]): number[] {
  const usable = gapsS.filter((gap) => gap <= LONGEST_GAP_S);
  for (let most = Math.min(MOST_REPLAYED, usable.length); most > 1; most = Math.floor(most / 2)) {
    const taken = Array.from({ length: most }, (_, i) => usable[Math.floor((i * usable.length) / most)] ?? 0);
    if (taken.reduce((sum, gap) => sum + gap, 0) <= MOST_SECONDS) return taken;
  }
  return usable.slice(0, 1);
}
