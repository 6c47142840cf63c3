/** A private file for the time of one delivery: archives are read at random. Nothing else is ever written to disk of a bundle. */
import { type FileHandle, mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CoalmineError } from "@/server/domain/errors";

const FOLDER = "spool";

export class Spool {
  private constructor(
    private readonly folder: string,
    readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** In `dataDir`; without one where the system keeps such files. */
  static async open(dataDir: string | null): Promise<Spool> {
    const parent = dataDir === null ? tmpdir() : join(dataDir, FOLDER);
    await mkdir(parent, { recursive: true });
    const folder = await mkdtemp(join(parent, "bundle-"));
    const path = join(folder, "bytes");
    return new Spool(folder, path, await open(path, "wx", 0o600));
  }

  /** Rejects with `storage_full`. */
  async write(chunk: Uint8Array): Promise<void> {
    try {
      await this.file.writeFile(chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      throw new CoalmineError("storage_full", "No space is left to unpack the archive.", { cause: error });
    }
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
