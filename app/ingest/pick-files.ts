/** Files out of what the reader dropped or chose, folders opened. What in a folder holds no record is left out, as by the command line. */
import type { LeftOut } from "@/server/domain/batch";
import { leftOutOf } from "@/server/ingest/bundles/leave-out";
import { LeftOutFiles } from "@/server/ingest/bundles/left-out-files";
import type { PickedFile } from "./upload-queue";

export interface Picked {
  files: PickedFile[];
  leftOut: LeftOut[];
}

export function fromInput(list: FileList): Picked {
  return worthSending([...list].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
}

/** A file that was chosen by itself is always sent. */
export function worthSending(found: readonly PickedFile[]): Picked {
  const out = leftOutOf(found.map(({ path }) => path).filter((path) => path.includes("/")));
  const leftOut = new LeftOutFiles();
  const files = found.filter(({ path }) => {
    const why = out.get(path);
    if (why !== undefined) leftOut.add(why, path);
    return why === undefined;
  });
  return { files, leftOut: leftOut.list() };
}

/** A drop's items are gone once its event is over: they are taken at once, and read afterwards. */
export async function fromDrop(data: DataTransfer): Promise<Picked> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return fromInput(data.files);
  const found: PickedFile[] = [];
  for (const entry of entries) await collect(entry, found);
  return worthSending(found.sort((a, b) => (a.path < b.path ? -1 : 1)));
}

async function collect(entry: FileSystemEntry, found: PickedFile[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ path: entry.fullPath.replace(/^\//, ""), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader hands out a folder in parts, and an empty part at its end.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return;
    for (const inner of part) await collect(inner, found);
  }
}
