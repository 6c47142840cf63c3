/** Files out of what the reader dropped or chose, folders opened. */
import type { PickedFile } from "./upload-queue";

export function fromInput(list: FileList): PickedFile[] {
  return [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** A drop's items are gone once its event is over: they are taken at once, and read afterwards. */
export async function fromDrop(data: DataTransfer): Promise<PickedFile[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return fromInput(data.files);
  const found: PickedFile[] = [];
  for (const entry of entries) await collect(entry, found);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
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
