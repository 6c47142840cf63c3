import type { Readable } from "node:stream";
import type { IngestResult, LeftOut } from "@/server/domain/batch";
import { type Api, RefusedError } from "./api";
import { fileBytes } from "./file-bytes";
import { sendInPieces } from "./ingest-pieces";
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
/** Larger files are sent in pieces. */
const LARGE_BYTES = 8 * 1024 * 1024;

/** Sends files, folders or standard input (`-`). Returns the exit code: 1 when a file was refused or nothing of it could be read. */
export async function ingest(api: Api, terminal: Terminal, paths: string[], options: IngestOptions): Promise<number> {
  if (paths.includes("-") && paths.length > 1) throw new CommandError("`-` (standard input) stands alone.");
  const piped = paths[0] === "-" ? await spoolStdin(terminal.stdin) : null;
  try {
    const { inputs, leftOut } = piped ? { inputs: [piped.input], leftOut: [] } : await findInputs(paths);
    if (inputs.length === 0) throw new CommandError(["No file found there.", ...leftOut.map(leftOutLine)].join("\n"));
    const outcomes = await sendAll(api, terminal, inputs, options);
    if (options.json) printJson(terminal, { files: outcomes, leftOut });
    else if (outcomes.length > 1) print(terminal, [totalLine(outcomes), ...leftOut.map(leftOutLine)].join("\n"));
    else if (leftOut.length > 0) print(terminal, leftOut.map(leftOutLine).join("\n"));
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
  const outcome = { file: input.shownAs ?? input.path, run };
  try {
    const result = await sendFile(api, input, { ...options, run: run ?? undefined }, progress);
    return { ...outcome, ok: !nothingRead(result), result, problem: null };
  } catch (error) {
    // Refused for everyone (no token, no rights): the next file would be refused as well.
    if (!(error instanceof RefusedError) || error.exit === EXIT.cannot) throw error;
    return { ...outcome, ok: false, result: null, problem: { code: error.code, message: error.message } };
  }
}

/** Sends one file, a large one in pieces. Resolves when it is durable. Throws `RefusedError`, `CommandError`. */
export function sendFile(api: Api, input: Input, options: IngestOptions, progress: Progress): Promise<IngestResult> {
  const send = input.bytes > LARGE_BYTES ? sendLarge : sendAtOnce;
  return send(api, input, options, progress);
}

function sendLarge(api: Api, input: Input, options: IngestOptions, progress: Progress): Promise<IngestResult> {
  const { format, run, source, node, cluster, tz } = options;
  return sendInPieces(api, input, { params: { format, run, source, node, cluster, tz }, progress });
}

function sendAtOnce(api: Api, input: Input, options: IngestOptions, progress: Progress): Promise<IngestResult> {
  const { format, run, source, node, cluster, tz } = options;
  let sent = 0;
  const body = (): Readable => {
    progress.again(sent);
    sent = 0;
    return fileBytes(input.path, (bytes) => {
      sent += bytes;
      progress.sent(bytes);
    });
  };
  return api.call<IngestResult>(`/ingest/${encodeURIComponent(format)}`, {
    method: "POST",
    query: { run, source, node, cluster, tz, name: input.name },
    headers: {
      "content-type": "application/octet-stream",
      "content-length": String(input.bytes),
      ...(input.encoding ? { "content-encoding": input.encoding } : {}),
    },
    body,
    onWait: (seconds, why) => progress.note(`${input.name}: ${why}; trying again in ${durationText(seconds)}`),
  });
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
  lines.push(...(result.leftOut ?? []).map((one) => `  ${leftOutLine(one)}`));
  return [head, ...lines].join("\n");
}

/** Files that were not sent, by reason, in one line. */
export function leftOutLine({ why, files, examples }: LeftOut): string {
  return `left out ${countText(files, "file")}: ${why} (${examples[0]}${files > 1 ? ", …" : ""})`;
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
