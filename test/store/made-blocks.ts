/** Blocks of raw lines for tests of stores. */
import { encodeBlock } from "@/server/archive/block-codec";
import type { ArchiveBlock, ArchiveLine, ArchiveSender } from "@/server/domain/archive";
import type { Random } from "./random-rows";

export function madeSender(given: Partial<ArchiveSender> = {}): ArchiveSender {
  const nobody = { run: null, node: null, pod: null, podUid: null, sandbox: null, container: null };
  return { stream: "default|run:|file||", source: "file", ...nobody, cluster: "default", origin: "fleet", ...given };
}

/** Lines numbered from `first` on, all of one sender. */
export function madeBlock(
  texts: readonly string[],
  given: { first?: number; at?: number | null; sender?: Partial<ArchiveSender> } = {},
): ArchiveBlock {
  const { first = 1, at = null, sender = {} } = given;
  const lines = texts.map((text, i): ArchiveLine => ({ line: first + i, at, sender: 0, format: null, text }));
  return encodeBlock(lines, [madeSender(sender)]);
}

export const WORDS = ["alpha", "beta", "gamma", "delta", "omega"] as const;
export const STREAMS = ["default|uid:1||", "default|uid:2||", "default|uid:3||"] as const;

/** Two senders of one run and origin, lines here and there. */
export function randomBlock(
  r: Random,
  { run, origin, times }: { run: string | null; origin: ArchiveSender["origin"]; times: readonly (number | null)[] },
): ArchiveBlock {
  const senders = [r.pick(STREAMS), r.pick(STREAMS)].map((stream) => madeSender({ stream, run, origin }));
  const lines = Array.from({ length: 1 + r.int(4) }, (): ArchiveLine => {
    const text = `${r.pick(WORDS)} ${r.pick(WORDS)}`;
    return { line: 1 + r.int(12), at: r.pick(times), sender: r.int(2), format: r.pick(["execd", null]), text };
  });
  return encodeBlock(lines, senders);
}
