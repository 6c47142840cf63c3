/** The timeline of one rollout: its lines as rows, and their places in the picture. Pure. */
import { duration, plural } from "@/app/_ui/format";
import type { RolloutDetail, SourceClock, TimelineLine } from "@/server/domain/rollout-detail";

/** A silence from here on is said, in ms. */
export const SILENCE_MS = 10_000;

export interface CertificateRow {
  key: string;
  line: TimelineLine;
  /** Ms since the first line that has a time; null for one without. */
  sinceMs: number | null;
  /** Silence before it, when it is long enough to tell something. */
  silenceMs: number | null;
}

/** Lines of the chosen layer, or all. Silences are those of the whole timeline and show only with all of it. */
export function certificateRows(timeline: readonly TimelineLine[], layer: string | null): CertificateRow[] {
  const first = timeline.find((line) => line.at !== null)?.at ?? null;
  const start = first === null ? null : Date.parse(first);
  return timeline.flatMap((line, i) => {
    if (layer !== null && line.layer !== layer) return [];
    const sinceMs = line.at === null || start === null ? null : Date.parse(line.at) - start;
    const silent = layer === null && line.gapMs !== null && line.gapMs >= SILENCE_MS;
    return [{ key: `${i}`, line, sinceMs, silenceMs: silent ? line.gapMs : null }];
  });
}

/** Layers that said anything, in order of their first word. */
export function layersOf(timeline: readonly TimelineLine[]): { layer: string; n: number }[] {
  const counts = new Map<string, number>();
  for (const { layer } of timeline) counts.set(layer, (counts.get(layer) ?? 0) + 1);
  return [...counts].map(([layer, n]) => ({ layer, n }));
}

export interface PlacedDot {
  key: string;
  layer: string;
  /** 0–1 along the picture. */
  x: number;
  bad: boolean;
  said: string;
}

export interface PlacedSilence {
  key: string;
  x: number;
  text: string;
}

/** Silences with room for their text, as a share of the picture. */
const ROOM = 0.07;

/** Places lines in order of time, with silences shortened: a step grows with the logarithm of its length. */
export function placeDots(rows: readonly CertificateRow[]): { dots: PlacedDot[]; silences: PlacedSilence[] } {
  const timed = rows.filter((row): row is CertificateRow & { sinceMs: number } => row.sinceMs !== null);
  const steps = timed.map((row, i) => stepOf(row.sinceMs - (timed[i - 1]?.sinceMs ?? row.sinceMs)));
  const whole = steps.reduce((sum, step) => sum + step, 0);
  const dots: PlacedDot[] = [];
  const silences: PlacedSilence[] = [];
  let at = 0;
  timed.forEach((row, i) => {
    const step = whole === 0 ? 0 : (steps[i] ?? 0) / whole;
    if (row.silenceMs !== null && step >= ROOM) {
      silences.push({ key: row.key, x: at + step / 2, text: duration(row.silenceMs) });
    }
    at += step;
    const { layer, text, class: id } = row.line;
    dots.push({
      key: row.key,
      layer,
      x: Math.min(1, at),
      bad: id !== null,
      said: `${sinceText(row.sinceMs)} ${layer}: ${text.slice(0, 160)}`,
    });
  });
  return { dots, silences };
}

function stepOf(ms: number): number {
  return ms <= 0 ? 0 : Math.log1p(ms / 100);
}

/** `+0.0 s`, `+12.4 s`, `+8 min 51 s` since the first line. */
export function sinceText(ms: number): string {
  if (ms < 0) return `−${sinceText(-ms).slice(1)}`;
  return ms < 60_000 ? `+${(ms / 1000).toFixed(1)} s` : `+${duration(ms)}`;
}

/** The first line of a text, shortened; `more` when the whole says more. */
export function shortText(text: string, most = 180): { short: string; more: boolean } {
  const first = text.split("\n", 1)[0] ?? "";
  const short = first.length > most ? `${first.slice(0, most - 1)}…` : first;
  return { short, more: short !== text };
}

/** Why, without the part that the head already says: `Sandbox killed for memory` and the rest. */
export function reasonParts(reason: string): { head: string; rest: string } {
  const cut = reason.indexOf(": ");
  if (cut < 0 || reason.slice(cut + 2).trim() === "") return { head: reason.replace(/[.:]\s*$/, ""), rest: "" };
  return { head: reason.slice(0, cut), rest: reason.slice(cut + 2) };
}

/** What a source's clock does to the order of the lines. */
export function clockText(clock: SourceClock): string {
  const size = duration(Math.abs(clock.offsetMs));
  const way = clock.offsetMs > 0 ? "ahead of" : "behind";
  const spread = clock.spreadMs > 0 ? `, ± ${(clock.spreadMs / 2000).toFixed(1)} s` : "";
  return `${clock.source} (${clock.layer}) is ${size} ${way} ${clock.reference.source} (${clock.reference.layer}), from ${plural(clock.pairs, "event")} that both tell${spread}.`;
}

/** Where the rollouts beside this one are. */
export function taskHref(detail: Pick<RolloutDetail, "run" | "task">): string | null {
  if (detail.run === null) return null;
  return `/runs/${encodeURIComponent(detail.run)}?${new URLSearchParams({ task: detail.task, verdict: "all" })}#rollouts`;
}
