import { Presets, SingleBar } from "cli-progress";
import { bytesText, durationText } from "./numbers";
import type { Terminal } from "./terminal";

/** Follows the bytes sent, of all files together. */
export interface Progress {
  begin(file: string): void;
  sent(bytes: number): void;
  /** Takes back what a failed try had sent. */
  again(bytes: number): void;
  note(text: string): void;
  done(): void;
}

const WINDOW_MS = 5_000;

/** Bytes a second over the last seconds, so that the time left follows the network and not the start. */
export class Speed {
  private points: { at: number; bytes: number }[] = [];
  add(bytes: number, at: number): void {
    this.points.push({ at, bytes });
    while ((this.points[0]?.at ?? at) < at - WINDOW_MS) this.points.shift();
  }
  /** null until there are two points in time. */
  perSecond(): number | null {
    const first = this.points[0];
    const last = this.points.at(-1);
    if (!first || !last || last.at <= first.at) return null;
    return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
  }
}

const SILENT: Omit<Progress, "note"> = { begin: () => {}, sent: () => {}, again: () => {}, done: () => {} };

/** A bar on a terminal; elsewhere only notes, as lines. */
export function progressFor(terminal: Terminal, totalBytes: number): Progress {
  const note = (text: string): void => void terminal.stderr.write(`${text}\n`);
  if (!terminal.stderr.isTTY || totalBytes === 0) return { ...SILENT, note };
  const bar = new SingleBar(
    {
      format: "{bar} {percentage} % | {sent} of {all} | {rate} | {left} | {file}",
      stream: terminal.stderr as NodeJS.WriteStream,
      hideCursor: true,
      clearOnComplete: true,
      etaBuffer: 1,
    },
    Presets.shades_classic,
  );
  return barProgress(bar, totalBytes, note);
}

function barProgress(bar: SingleBar, totalBytes: number, note: (text: string) => void): Progress {
  const speed = new Speed();
  let total = 0;
  let file = "";
  const payload = (): Record<string, string> => {
    const rate = speed.perSecond();
    const left = rate ? `${durationText((totalBytes - total) / rate)} left` : "…";
    return {
      sent: bytesText(total),
      all: bytesText(totalBytes),
      rate: rate ? `${bytesText(Math.round(rate))}/s` : "…",
      left,
      file,
    };
  };
  const move = (bytes: number): void => {
    total += bytes;
    speed.add(total, Date.now());
    bar.update(total, payload());
  };
  bar.start(totalBytes, 0, payload());
  return {
    begin: (name) => {
      file = name;
      bar.update(total, payload());
    },
    sent: move,
    again: (bytes) => move(-bytes),
    note: (text) => note(`\n${text}`),
    done: () => bar.stop(),
  };
}
