import { readdir, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { leftOutOf } from "@/server/ingest/bundles/leave-out";

export interface FolderFile {
  path: string;
  /** Its path from the folder on, with slashes: what its delivery is called. */
  name: string;
  /** Why it is not sent; null when it is. */
  why: string | null;
}

/**
 * The files of a folder and of those below it, in order of names, those that are not sent with the reason. Names of files that links stand
 * for are followed, as node agents lay logs out; links to folders are not, nor to what lies in this folder anyway. Never throws.
 */
export async function folderFiles(folder: string): Promise<FolderFile[]> {
  const base = dirname(resolve(folder));
  const nameOf = (path: string) => relative(base, resolve(path)).split(sep).join("/");
  const root = await realpath(folder).catch(() => resolve(folder));
  const files = (await walk(folder, root)).map((file) => ({ ...file, name: nameOf(file.path) }));
  const out = leftOutOf(files.map(({ name }) => name));
  return files.map(({ path, name, why }) => ({ path, name, why: out.get(name) ?? why }));
}

type Walked = Pick<FolderFile, "path" | "why">;

async function walk(folder: string, root: string): Promise<Walked[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const nested = entries
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (entry): Promise<Walked[]> => {
        const path = join(folder, entry.name);
        // What is hidden is left out by its name, a hidden folder as one.
        if (entry.isDirectory() && !entry.name.startsWith(".")) return walk(path, root);
        return [{ path, why: entry.isFile() ? null : await whyNoFile(path, root) }];
      });
    return (await Promise.all(nested)).flat();
  } catch (error) {
    return [{ path: folder, why: unreadable(error) }];
  }
}

/** Of an entry that is no plain file. */
async function whyNoFile(path: string, root: string): Promise<string | null> {
  try {
    if ((await realpath(path)).startsWith(`${root}${sep}`)) return "links within the same folder";
    const entry = await stat(path);
    if (entry.isDirectory()) return "links to folders";
    return entry.isFile() ? null : "pipes, sockets and devices";
  } catch (error) {
    return unreadable(error);
  }
}

/** Why a file cannot be read, in the words of the list. */
export function unreadable(error: unknown): string {
  return `cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"})`;
}
