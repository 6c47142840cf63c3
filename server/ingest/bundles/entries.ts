/** The files of an archive, one after the other, as streams. Their names are labels: nothing is written under them. */
import { createReadStream } from "node:fs";
import { extract } from "tar-stream";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { CoalmineError } from "@/server/domain/errors";
import type { BundleKind } from "./bundle-kind";

export interface BundleEntry {
  /** Cleaned: no control characters, no leading `/`, `./` or `../`. */
  path: string;
  /** Content encoding of `open`'s bytes, where the archive packs by another method than its own. */
  encoding: string | null;
  /** May be called once, before the next entry is asked for. Null: it cannot be read, `why` says so. */
  open: (() => Promise<AsyncIterable<Uint8Array>>) | null;
  why?: string;
}

/** Throws `invalid` for a broken archive. Folders and links are no entries. */
export function entriesOf(kind: BundleKind, file: string): AsyncGenerator<BundleEntry> {
  return kind === "zip" ? zipEntries(file) : tarEntries(file);
}

/** Names only, for what must be known before the first is read. */
export async function namesOf(kind: BundleKind, file: string): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of entriesOf(kind, file)) names.push(entry.path);
  return names;
}

const STORED = 0;
const DEFLATED = 8;
const ZSTANDARD = 93;

async function* zipEntries(file: string): AsyncGenerator<BundleEntry> {
  const zip = await openPromise(file, { lazyEntries: true, decodeStrings: false, autoClose: false }).catch(
    broken("zip"),
  );
  try {
    for await (const entry of guarded(zip.eachEntry(), "zip")) {
      // Left undecoded, so that no name can make the whole archive unreadable.
      const path = label((entry.fileName as unknown as Buffer).toString("utf8"));
      if (path !== "" && !path.endsWith("/")) yield zipEntry(zip, entry, path);
    }
  } finally {
    zip.close();
  }
}

function zipEntry(zip: ZipFile, entry: Entry, path: string): BundleEntry {
  const method = entry.compressionMethod;
  if (entry.isEncrypted()) return { path, encoding: null, open: null, why: "it is encrypted" };
  if (![STORED, DEFLATED, ZSTANDARD].includes(method))
    return { path, encoding: null, open: null, why: `its compression method ${method} is not supported` };
  const raw = method === ZSTANDARD;
  const open = async () => guarded(await zip.openReadStreamPromise(entry, raw ? { decodeFileData: false } : {}), "zip");
  return { path, encoding: raw ? "zstd" : null, open };
}

async function* tarEntries(file: string): AsyncGenerator<BundleEntry> {
  const source = createReadStream(file);
  const unpacked = extract();
  source.on("error", (error) => unpacked.destroy(error));
  source.pipe(unpacked);
  try {
    for await (const entry of guarded(unpacked, "tar")) {
      const path = label(entry.header.name);
      if (entry.header.type === "file" && path !== "") {
        yield { path, encoding: null, open: async () => guarded(entry as AsyncIterable<Uint8Array>, "tar") };
      }
      entry.resume();
    }
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}

/** Hands on what comes, and says of an error that it is the archive's. */
async function* guarded<T>(source: AsyncIterable<T>, kind: BundleKind): AsyncGenerator<T> {
  try {
    yield* source;
  } catch (error) {
    broken(kind)(error);
  }
}

function broken(kind: BundleKind): (error: unknown) => never {
  return (error) => {
    if (error instanceof CoalmineError) throw error;
    const words = error instanceof Error ? error.message : String(error);
    throw new CoalmineError("invalid", `broken ${kind}: ${words}`, { cause: error });
  };
}

const MOST_PATH = 400;

function label(name: string): string {
  let clean = "";
  for (const char of name.slice(0, MOST_PATH)) clean += char < " " || char === "\u007f" ? "_" : char;
  return clean.replaceAll("\\", "/").replace(/^(?:\.{0,2}\/)+/, "");
}
