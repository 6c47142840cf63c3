import { createHash } from "node:crypto";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type FolderFile, folderFiles } from "./folder-files";
import type { Followed } from "./follow-state";
import { encodingOf } from "./inputs";

export interface SeenFile {
  /** Device and inode. */
  key: string;
  path: string;
  size: number;
  mtimeMs: number;
}

const HEAD_BYTES = 65_536;
const MARK_BYTES = 1024;
/** Longest line that is waited for; the server takes none that is longer. */
const MOST_LINE = 16 * 1024 * 1024;
const NEWLINE = 10;
const PACKED = /\.(?:gz|zst|br|bz2|xz)$/;

export interface FilesNow {
  files: SeenFile[];
  leftOut: { name: string; why: string }[];
}

/**
 * The files that are there now: of each folder all that may hold records, of each named file itself and, by `known`, the one that bore its
 * name before a rotation. What is gone meanwhile is in neither list.
 */
export async function filesNow(paths: readonly string[], known: ReadonlyMap<string, Followed>): Promise<FilesNow> {
  const found = new Map<string, SeenFile>();
  const leftOut: FilesNow["leftOut"] = [];
  for (const path of paths.map((one) => resolve(one))) {
    const entry = await stat(path).catch(() => null);
    if (entry?.isDirectory()) {
      for (const file of withoutPacked(await folderFiles(path))) {
        if (file.why === null) add(found, await look(file.path));
        else leftOut.push({ name: file.name, why: file.why });
      }
      continue;
    }
    for (const file of await rotatedAway(path, known)) add(found, file);
    add(found, await look(path));
  }
  return { files: [...found.values()], leftOut };
}

function add(found: Map<string, SeenFile>, file: SeenFile | null): void {
  if (file && !found.has(file.key)) found.set(file.key, file);
}

/** `app.log.2.gz` beside `app.log` holds lines that were sent when they were in `app.log`. */
function withoutPacked(files: readonly FolderFile[]): FolderFile[] {
  const all = new Set(files.map(({ path }) => path));
  const isPast = ({ path, why }: FolderFile) =>
    why === null && PACKED.test(path) && stems(path).some((one) => all.has(one));
  return files.map((file) => (isPast(file) ? { ...file, why: "packed past of a log beside it" } : file));
}

/** Every beginning of the file's name that ends before a point or a dash. */
function stems(file: string): string[] {
  const name = basename(file);
  return [...name.matchAll(/[.-]/g)].map(({ index }) => join(dirname(file), name.slice(0, index)));
}

/** Files beside `path` that were it when they were last seen. */
async function rotatedAway(path: string, known: ReadonlyMap<string, Followed>): Promise<SeenFile[]> {
  const mine = [...known].filter(
    ([, file]) => dirname(file.path) === dirname(path) && basename(file.name) === basename(path),
  );
  if (mine.length === 0) return [];
  const keys = new Set(mine.map(([key]) => key));
  const names = await readdir(dirname(path)).catch(() => []);
  const near = names.filter((name) => name !== basename(path) && name.startsWith(basename(path).split(".")[0] ?? ""));
  const seen = await Promise.all(near.map((name) => look(join(dirname(path), name))));
  return seen.filter((file) => file !== null && keys.has(file.key)) as SeenFile[];
}

async function look(path: string): Promise<SeenFile | null> {
  const entry = await stat(path, { bigint: true }).catch(() => null);
  if (!entry?.isFile()) return null;
  return { key: `${entry.dev}:${entry.ino}`, path, size: Number(entry.size), mtimeMs: Number(entry.mtimeMs) };
}

/** How a file is to be sent; null while that cannot be told. `rests`: it has not changed for a while. */
export async function modeOf(path: string, rests: boolean): Promise<Followed["mode"]> {
  const head = await withFile(path, (file) => bytesAt(file, 0, HEAD_BYTES));
  if (head.length === 0) return null;
  if (encodingOf(path, head) !== null) return "whole";
  const text = head.toString("utf8").trimStart();
  const line = text.indexOf("\n");
  const begins = /^[{[]/.test(text);
  if (line >= 0) return begins && !isJson(text.slice(0, line)) ? "whole" : "lines";
  if (head.length === HEAD_BYTES) return begins ? null : "lines";
  return rests && begins && isJson(text) ? "whole" : null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Bytes from `offset` to the end of the last whole line among the next `most`; empty when no line is whole. */
export function wholeLines(path: string, offset: number, most: number): Promise<Buffer> {
  return withFile(path, async (file) => {
    for (let want = most; ; want = Math.min(MOST_LINE, want * 2)) {
      const bytes = await bytesAt(file, offset, want);
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      if (end > 0 || bytes.length < want) return bytes.subarray(0, end);
      // No record may be so long: it goes as it is, and the server says what it thinks of it.
      if (want === MOST_LINE) return bytes;
    }
  });
}

export function exactly(path: string, from: number, to: number): Promise<Buffer> {
  return withFile(path, (file) => bytesAt(file, from, to - from));
}

/** A mark of a file by its first bytes. */
export function headMark(first: Uint8Array): NonNullable<Followed["head"]> {
  const head = first.subarray(0, MARK_BYTES);
  return { bytes: head.length, hash: createHash("sha256").update(head).digest("hex").slice(0, 16) };
}

/** Are the first bytes still those that were sent? */
export async function isSameFile(path: string, size: number, known: Followed): Promise<boolean> {
  if (size < known.offset) return false;
  return known.head === null || headMark(await exactly(path, 0, known.head.bytes)).hash === known.head.hash;
}

async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

async function bytesAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
