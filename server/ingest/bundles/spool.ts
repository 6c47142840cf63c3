/** A private file for the time of one delivery: archives are read at random. Nothing else is ever written to disk of a bundle. */
import { type FileHandle, mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onDisk } from "@/server/disk-error";

const FOLDER = "spool";
const WHAT = "the unpacking of the archive";

export class Spool {
  private constructor(
    private readonly folder: string,
    readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** In `dataDir`; without one where the system keeps such files. Rejects with `storage_full`, `unavailable`. */
  static open(dataDir: string | null): Promise<Spool> {
    const parent = dataDir === null ? tmpdir() : join(dataDir, FOLDER);
    return onDisk(WHAT, async () => {
      await mkdir(parent, { recursive: true });
      const folder = await mkdtemp(join(parent, "bundle-"));
      const path = join(folder, "bytes");
      return new Spool(folder, path, await open(path, "wx", 0o600));
    });
  }

  /** Rejects with `storage_full`, `unavailable`. */
  write(chunk: Uint8Array): Promise<void> {
    return onDisk(WHAT, () => this.file.writeFile(chunk));
  }

  async remove(): Promise<void> {
    await this.file.close().catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** What a process that was killed left behind. Call before the first delivery. */
export async function clearSpool(dataDir: string): Promise<void> {
  await rm(join(dataDir, FOLDER), { recursive: true, force: true });
}
