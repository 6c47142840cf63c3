import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { IngestResult } from "@/server/domain/batch";
import { type Api, RefusedError } from "./api";
import { findInputs, type Input, spoolStdin } from "./inputs";
import { bytesText, countText, durationText } from "./numbers";
import { type Progress, progressFor } from "./progress";
import { CommandError, EXIT, print, printJson, type Terminal } from "./terminal";

export interface IngestOptions {
  format: string;
  run?: string;
  source?: string;
  node?: string;
  cluster?: string;
  tz?: string;
  json?: boolean;
}

export interface FileOutcome {
  file: string;
  run: string | null;
  ok: boolean;
  result: IngestResult | null;
  problem: { code: string; message: string } | null;
}

const SHOWN_REJECTS = 5;

/** Sends files, folders or standard input (`-`). Returns the exit code: 1 when a file was refused or nothing of it could be read. */
export async function ingest(api: Api, terminal: Terminal, paths: string[], options: IngestOptions): Promise<number> {
  if (paths.includes("-") && paths.length > 1) throw new CommandError("`-` (standard input) stands alone.");
  const piped = paths[0] === "-" ? await spoolStdin(terminal.stdin) : null;
  try {
    const inputs = piped ? [piped.input] : await findInputs(paths);
    if (inputs.length === 0) throw new CommandError("No file found there.");
    const outcomes = await sendAll(api, terminal, inputs, options);
    if (options.json) printJson(terminal, { files: outcomes });
    else if (outcomes.length > 1) print(terminal, totalLine(outcomes));
    return outcomes.every((outcome) => outcome.ok) ? EXIT.ok : EXIT.someFailed;
  } finally {
    await piped?.remove();
  }
}

async function sendAll(api: Api, terminal: Terminal, inputs: Input[], options: IngestOptions): Promise<FileOutcome[]> {
  const progress = progressFor(
    terminal,
    inputs.reduce((sum, input) => sum + input.bytes, 0),
  );
  const outcomes: FileOutcome[] = [];
  try {
    for (const input of inputs) {
      progress.begin(input.name);
      outcomes.push(await sendOne(api, input, options, progress));
    }
  } finally {
    progress.done();
    if (!options.json) for (const outcome of outcomes) print(terminal, outcomeLines(outcome));
  }
  return outcomes;
}

async function sendOne(api: Api, input: Input, options: IngestOptions, progress: Progress): Promise<FileOutcome> {
  const run = options.run ?? input.runOfName;
  const { source, node, cluster, tz } = options;
  const outcome = { file: input.path, run };
  let sent = 0;
  const body = (): Readable => {
    progress.again(sent);
    sent = 0;
    return counted(input.path, (bytes) => {
      sent += bytes;
      progress.sent(bytes);
    });
  };
  try {
    const result = await api.call<IngestResult>(`/ingest/${encodeURIComponent(options.format)}`, {
      method: "POST",
      query: { run: run ?? undefined, source, node, cluster, tz, name: input.name },
      headers: {
        "content-type": "application/octet-stream",
        "content-length": String(input.bytes),
        ...(input.encoding ? { "content-encoding": input.encoding } : {}),
      },
      body,
      onWait: (seconds, why) => progress.note(`${input.name}: ${why}; trying again in ${durationText(seconds)}`),
    });
    return { ...outcome, ok: !nothingRead(result), result, problem: null };
  } catch (error) {
    // Refused for everyone (no token, no rights): the next file would be refused as well.
    if (!(error instanceof RefusedError) || error.exit === EXIT.cannot) throw error;
    return { ...outcome, ok: false, result: null, problem: { code: error.code, message: error.message } };
  }
}

function counted(path: string, seen: (bytes: number) => void): Readable {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of createReadStream(path, { highWaterMark: 262_144 })) {
      yield chunk as Uint8Array;
      seen((chunk as Uint8Array).length);
    }
  }
  return Readable.from(chunks(), { objectMode: false });
}

/** Lines came, and every one of them was a reject. */
function nothingRead(result: IngestResult): boolean {
  const { rejected, observations, rollouts, routine, duplicates, duplicateBatch } = result;
  return rejected > 0 && observations + rollouts + routine + duplicates === 0 && !duplicateBatch;
}

export function outcomeLines(outcome: FileOutcome): string {
  const { file, run, result, problem } = outcome;
  const into = run === null ? "" : ` → run ${run}`;
  if (result === null) return `${file}${into}: refused (${problem?.code}): ${problem?.message}`;
  if (result.duplicateBatch) return `${file}${into}: known already, nothing changed (${result.format})`;
  const numbers = [
    countText(result.records, "record"),
    countText(result.observations, "observation"),
    countText(result.rollouts, "rollout"),
    countText(result.rejected, "reject"),
  ];
  const head = `${file}${into}: ${numbers.join(", ")} (${result.format}, ${bytesText(result.bytes)})`;
  const shown = result.rejects.slice(0, SHOWN_REJECTS);
  const lines = shown.map((reject) => `  line ${reject.line}: ${reject.code}: ${reject.message}`);
  const more = result.rejected - shown.length;
  if (more > 0) lines.push(`  and ${countText(more, "more reject")}: GET /api/v1/batches/${result.batchId}/rejects`);
  return [head, ...lines].join("\n");
}

function totalLine(outcomes: FileOutcome[]): string {
  const sum = (of: (result: IngestResult) => number): number =>
    outcomes.reduce((total, { result }) => total + (result ? of(result) : 0), 0);
  const failed = outcomes.filter((outcome) => !outcome.ok).length;
  const parts = [
    countText(outcomes.length, "file"),
    countText(
      sum((r) => r.records),
      "record",
    ),
    countText(
      sum((r) => r.observations),
      "observation",
    ),
    countText(
      sum((r) => r.rollouts),
      "rollout",
    ),
    countText(
      sum((r) => r.rejected),
      "reject",
    ),
  ];
  return `${parts.join(", ")}${failed > 0 ? `; ${countText(failed, "file")} failed` : ""}`;
}
