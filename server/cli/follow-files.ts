import { createHash } from "node:crypto";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { leftOutOf } from "@/server/ingest/bundles/leave-out";
import type { Followed } from "./follow-state";
import { encodingOf, filesUnder } from "./inputs";

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

/**
 * The files that are there now: of each folder all, of each named file itself and, by `known`, the one that bore its name
 * before a rotation. What is unreadable or gone meanwhile is left out.
 */
export async function filesNow(paths: readonly string[], known: ReadonlyMap<string, Followed>): Promise<SeenFile[]> {
  const found = new Map<string, SeenFile>();
  for (const path of paths.map((one) => resolve(one))) {
    const entry = await stat(path).catch(() => null);
    if (entry?.isDirectory()) {
      const files = withoutPacked(await filesUnder(path).catch(() => []));
      for (const file of withRecords(path, files)) add(found, await look(file));
      continue;
    }
    for (const file of await rotatedAway(path, known)) add(found, file);
    add(found, await look(path));
  }
  return [...found.values()];
}

function add(found: Map<string, SeenFile>, file: SeenFile | null): void {
  if (file && !found.has(file.key)) found.set(file.key, file);
}

/** What in a job's folder holds no record is not followed either. */
function withRecords(folder: string, files: readonly string[]): string[] {
  const names = files.map((file) => relative(dirname(folder), file).split(sep).join("/"));
  const out = leftOutOf(names);
  return files.filter((_, i) => !out.has(names[i] ?? ""));
}

/** `app.log.2.gz` beside `app.log` holds lines that were sent when they were in `app.log`. */
function withoutPacked(files: readonly string[]): string[] {
  const all = new Set(files);
  return files.filter((file) => !PACKED.test(file) || !stems(file).some((stem) => all.has(stem)));
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
