import { createWriteStream } from "node:fs";
import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve, sep } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, gunzipSync } from "node:zlib";
import type { LeftOut } from "@/server/domain/batch";
import { jobOf, runOf } from "@/server/ingest/bundles/job-of";
import { LeftOutFiles } from "@/server/ingest/bundles/left-out-files";
import { type FolderFile, folderFiles, unreadable } from "./folder-files";
import { CommandError } from "./terminal";

export type Encoding = "gzip" | "zstd" | "br";

/** One file to be sent. */
export interface Input {
  path: string;
  /** What the delivery is called, e.g. the file's name. */
  name: string;
  bytes: number;
  /** It is compressed already and is sent as it is. */
  encoding: Encoding | null;
  /** The run that its name stands for: of rollout files only. */
  runOfName: string | null;
  /** What the user knows it as, where that is not its path. */
  shownAs?: string;
}

const HEAD_BYTES = 65_536;

export interface Found {
  inputs: Input[];
  /** Files of folders that are not sent, by reason. */
  leftOut: LeftOut[];
}

/**
 * The files that the arguments name. Folders are walked in order of names; their files are called by their path from the folder on, and
 * what holds no record or cannot be read is left out. A file that is named itself is always sent. Throws `CommandError`.
 */
export async function findInputs(paths: readonly string[]): Promise<Found> {
  const inputs: Input[] = [];
  const leftOut = new LeftOutFiles();
  for (const path of paths) {
    const entry = await stat(path).catch((error: unknown) => {
      throw new CommandError(`Cannot read ${path}: ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
    });
    if (!entry.isDirectory()) inputs.push(await inputOf(path));
    else for (const file of await folderFiles(path)) await addFile(file, inputs, leftOut);
  }
  return { inputs, leftOut: leftOut.list() };
}

async function addFile({ path, name, why }: FolderFile, inputs: Input[], leftOut: LeftOutFiles): Promise<void> {
  if (why !== null) {
    leftOut.add(why, name);
    return;
  }
  try {
    inputs.push(await inputOf(path, withJob(name, path)));
  } catch (error) {
    leftOut.add(unreadable(error), name);
  }
}

/** The name with as many of the folders above it as tell the job, if any does. */
function withJob(name: string, file: string): string {
  const parts = resolve(file).split(sep);
  if (jobOf(parts.join("/")) === null) return name;
  let longer = name;
  while (jobOf(longer) === null) longer = parts.slice(-longer.split("/").length - 1).join("/");
  return longer;
}

/** Called by its own name, and by the folders above it where they tell the job. */
export async function inputOf(path: string, name = withJob(basename(path), path)): Promise<Input> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.subarray(0, bytesRead);
    const encoding = encodingOf(path, head);
    return {
      path,
      name,
      bytes: size,
      encoding,
      // In a job's folders the server tells the run by the name, unless the records say one themselves.
      runOfName: jobOf(name) === null && holdsRollouts(headText(head, encoding)) ? runOf(name) : null,
    };
  } finally {
    await file.close();
  }
}

/** By the first bytes, since names lie; brotli has none, so there the name decides. */
export function encodingOf(path: string, head: Uint8Array): Encoding | null {
  if (head[0] === 0x1f && head[1] === 0x8b) return "gzip";
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) return "zstd";
  return path.endsWith(".br") ? "br" : null;
}

/** As much text as the head gives; "" where it cannot be told here, and the server will. */
function headText(head: Uint8Array, encoding: Encoding | null): string {
  if (encoding === null) return Buffer.from(head).toString("utf8");
  if (encoding !== "gzip") return "";
  try {
    // The head ends in the middle of the stream: take what is there.
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).toString("utf8");
  } catch {
    return "";
  }
}

/** Rollout records are told from logs by fields that only they have at the top. */
export function holdsRollouts(head: string): boolean {
  const first = head.trimStart();
  if (!first.startsWith("{") && !first.startsWith("[")) return false;
  return (
    /"(?:_ng_task_index|_ng_rollout_index|verifier_result|is_correct|resolved_ids)"\s*:/.test(head) ||
    /"reward"\s*:.*"(?:response|instance_id|agent_ref)"|"(?:response|instance_id|agent_ref)".*"reward"\s*:/s.test(head)
  );
}

/** Keeps standard input in a file of its own, so that it can be sent again; the caller removes it. */
export async function spoolStdin(stdin: Readable): Promise<{ input: Input; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "coalmine-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, "stdin");
    await pipeline(stdin, createWriteStream(path, { mode: 0o600 }));
    return { input: { ...(await inputOf(path, "stdin")), runOfName: null, shownAs: "standard input" }, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
