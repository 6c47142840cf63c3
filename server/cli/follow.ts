import { resolve } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { IngestResult } from "@/server/domain/batch";
import { LeftOutFiles } from "@/server/ingest/bundles/left-out-files";
import type { Api } from "./api";
import { unreadable } from "./folder-files";
import { FollowDeliveries } from "./follow-deliveries";
import { exactly, filesNow, headMark, isSameFile, modeOf, type SeenFile, wholeLines } from "./follow-files";
import { type Followed, FollowState, stateFileFor } from "./follow-state";
import { type IngestOptions, leftOutLine, sendFile } from "./ingest";
import { inputOf } from "./inputs";
import { durationText } from "./numbers";
import { progressFor } from "./progress";
import { CommandError, EXIT, type Terminal } from "./terminal";

export interface FollowOptions extends IngestOptions {
  /** File that remembers how far each file was sent. */
  state?: string;
}

export interface FollowPace {
  /** Between two looks. */
  pollMs: number;
  /** Lines wait at most so long for others to go with. */
  gatherMs: number;
  /** Unchanged for so long, a document counts as whole. */
  restMs: number;
  /** Longest wait for a server that does not answer. */
  mostWaitMs: number;
}

const PACE: FollowPace = { pollMs: 1000, gatherMs: 5000, restMs: 5000, mostWaitMs: 60_000 };
/** Sent at a time. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/** So much is sent without waiting for more. */
const ENOUGH_BYTES = 1024 * 1024;

/**
 * Sends what is there and then whole lines as they come, until `signal` aborts. Each part is noted before it is sent and again
 * when it is durable, so that a kill in between sends the very same bytes, which the server knows. Returns 0 when it was stopped.
 */
export async function follow(
  api: Api,
  terminal: Terminal,
  paths: string[],
  options: FollowOptions,
  { signal, ...pace }: { signal: AbortSignal } & Partial<FollowPace>,
): Promise<number> {
  if (paths.includes("-")) throw new CommandError("Standard input cannot be followed.");
  // A wrong address is said at once; later on, a server that is away is waited for.
  await api.call("/health", { signal });
  const { format, run, source, node, cluster, tz } = options;
  const told = [
    terminal.env.COALMINE_URL ?? "",
    paths.map((path) => resolve(path)),
    format,
    run,
    source,
    node,
    cluster,
    tz,
  ];
  const state = await FollowState.open(options.state ?? stateFileFor(terminal.env, told));
  const follower = new Follower({ api, terminal, options, state, signal, pace: { ...PACE, ...pace } });
  terminal.stderr.write(`Following ${paths.join(", ")}; how far is kept in ${state.path}\n`);
  while (!signal.aborted) {
    try {
      await follower.look(paths);
      await sleep(follower.pollMs, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
  return EXIT.ok;
}

interface FollowerParts {
  api: Api;
  terminal: Terminal;
  options: FollowOptions;
  state: FollowState;
  signal: AbortSignal;
  pace: FollowPace;
}

class Follower {
  /** Since when a file has lines that are not sent, or stands as it is; epoch ms. */
  private readonly since = new Map<string, { mark: string; at: number }>();

  /** How files looked when all of them was sent: such need no second look. */
  private readonly quiet = new Map<string, string>();

  private readonly deliveries: FollowDeliveries;

  /** Files that are left out, with the reason that was told. */
  private readonly told = new Map<string, string>();

  constructor(private readonly parts: FollowerParts) {
    const { terminal, signal, options, pace } = parts;
    this.deliveries = new FollowDeliveries({
      terminal,
      signal,
      json: options.json === true,
      mostWaitMs: pace.mostWaitMs,
    });
  }

  get pollMs(): number {
    return this.parts.pace.pollMs;
  }

  async look(paths: readonly string[]): Promise<void> {
    const { state, signal } = this.parts;
    const { files, leftOut } = await filesNow(paths, state.files);
    const unread = [...leftOut];
    for (const file of files) {
      signal.throwIfAborted();
      try {
        await this.advance(file);
      } catch (error) {
        // Gone or closed to us between the look and the reading: the next look sees what is there then.
        const code = String((error as NodeJS.ErrnoException).code);
        if (!/^(ENOENT|EACCES|EPERM|EISDIR|ESTALE)$/.test(code)) throw error;
        if (code === "EACCES" || code === "EPERM") unread.push({ name: file.path, why: unreadable(error) });
      }
    }
    this.tellLeftOut(unread);
  }

  /** Each file once, and again when the reason is another. */
  private tellLeftOut(leftOut: readonly { name: string; why: string }[]): void {
    const fresh = new LeftOutFiles();
    for (const { name, why } of leftOut) {
      if (this.told.get(name) !== why) fresh.add(why, name);
      this.told.set(name, why);
    }
    for (const one of fresh.list()) this.note(leftOutLine(one));
  }

  private async advance(file: SeenFile): Promise<void> {
    const looks = `${file.path} ${file.size} ${file.mtimeMs}`;
    if (this.quiet.get(file.key) === looks) return;
    const known = await this.entryOf(file);
    if (this.deliveries.isPutOff(known)) return;
    known.mode ??= await modeOf(file.path, this.restsFor(file) >= this.parts.pace.restMs);
    if (known.mode === "whole") await this.sendWhole(file, known);
    else if (known.mode === "lines") while (await this.sendLines(file, known));
    if (known.offset === file.size || known.sentAs === wholeMark(file)) this.quiet.set(file.key, looks);
  }

  private async entryOf(file: SeenFile): Promise<Followed> {
    const { files } = this.parts.state;
    const known = files.get(file.key);
    if (known && (known.mode === "whole" || (await isSameFile(file.path, file.size, known)))) {
      known.path = file.path;
      return known;
    }
    if (known) this.note(`${file.path} was cut or written anew; it is sent from its beginning`);
    const { runOfName, name } = await inputOf(file.path);
    const fresh = { path: file.path, name, run: this.parts.options.run ?? runOfName };
    const entry: Followed = { ...fresh, mode: null, offset: 0, pending: null, head: null, sentAs: null };
    files.set(file.key, entry);
    return entry;
  }

  /** How long the file has looked the same, in ms. */
  private restsFor({ key, size, mtimeMs }: SeenFile): number {
    const mark = `${size} ${mtimeMs}`;
    const known = this.since.get(key);
    if (known?.mark === mark) return Date.now() - known.at;
    this.since.set(key, { mark, at: Date.now() });
    return 0;
  }

  private async sendWhole(file: SeenFile, known: Followed): Promise<void> {
    const mark = wholeMark(file);
    if (known.sentAs === mark || this.restsFor(file) < this.parts.pace.restMs) return;
    const { api, options, terminal } = this.parts;
    const input = { ...(await inputOf(file.path)), name: known.name };
    const quiet = { ...progressFor(terminal, 0), note: (text: string) => this.note(text) };
    const send = () => sendFile(api, input, { ...options, run: known.run ?? undefined }, quiet);
    if (!(await this.deliveries.deliver(known, send))) return;
    known.sentAs = mark;
    await this.parts.state.save();
  }

  /** Sends one part. True when there may be more of it. */
  private async sendLines(file: SeenFile, known: Followed): Promise<boolean> {
    const bytes = await this.nextPart(file, known);
    if (bytes.length === 0) return false;
    const { state, api, options, signal } = this.parts;
    known.pending = known.offset + bytes.length;
    await state.save();
    const { source, node, cluster, tz, format } = options;
    const query = { run: known.run ?? undefined, source, node, cluster, tz, name: known.name };
    const send = () =>
      api.call<IngestResult>(`/ingest/${encodeURIComponent(format)}`, {
        method: "POST",
        query,
        headers: { "content-type": "application/octet-stream", "content-length": String(bytes.length) },
        body: () => Readable.from([bytes]),
        onWait: (seconds, why) => this.note(`${why}; trying again in ${durationText(seconds)}`),
        signal,
      });
    if (!(await this.deliveries.deliver(known, send))) return false;
    known.offset = known.pending;
    known.pending = null;
    // Of the bytes that were sent: the file may hold others by now.
    known.head ??= headMark(bytes);
    await state.save();
    this.since.delete(file.key);
    return true;
  }

  private async nextPart(file: SeenFile, known: Followed): Promise<Buffer> {
    if (known.pending !== null) return exactly(file.path, known.offset, known.pending);
    if (file.size <= known.offset) return Buffer.alloc(0);
    const waits = this.waitsFor(file, known);
    if (file.size - known.offset < ENOUGH_BYTES && waits < this.parts.pace.gatherMs) return Buffer.alloc(0);
    return wholeLines(file.path, known.offset, CHUNK_BYTES);
  }

  /** How long the first unsent byte has been seen, in ms. */
  private waitsFor({ key }: SeenFile, { offset }: Followed): number {
    const mark = `from ${offset}`;
    const seen = this.since.get(key);
    if (seen?.mark === mark) return Date.now() - seen.at;
    this.since.set(key, { mark, at: Date.now() });
    return 0;
  }

  private note(text: string): void {
    this.parts.terminal.stderr.write(`${text}\n`);
  }
}

function wholeMark({ size, mtimeMs }: SeenFile): string {
  return `${size} ${mtimeMs}`;
}
