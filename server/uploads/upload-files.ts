/** Uploads on disk: a record (JSON) and the bytes so far (`.part`) of each. What is in a record is durable when its writing resolves. Writing rejects with `storage_full`, `unavailable`. */
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { onDisk } from "@/server/disk-error";
import type { Upload } from "@/server/domain/upload";

/** The part of an upload that its record keeps; how many bytes there are, the bytes themselves say. */
export type UploadRecord = Omit<Upload, "offset" | "expiresAt">;

export interface FoundUpload {
  record: UploadRecord;
  offset: number;
  /** Epoch ms of the last byte. */
  touchedAt: number;
}

export class UploadFiles {
  constructor(private readonly folder: string) {}

  /** All uploads on disk. A record that cannot be read, and bytes without a record, are removed. */
  async load(): Promise<FoundUpload[]> {
    await onDisk("uploads", () => mkdir(this.folder, { recursive: true }));
    const names = await readdir(this.folder);
    const ids = new Set(names.map((name) => name.split(".")[0] ?? ""));
    const found: FoundUpload[] = [];
    for (const id of ids) {
      const record = await this.read(id);
      if (record === null) await this.remove(id);
      else found.push({ record, ...(await this.bytesOf(record)) });
    }
    return found;
  }

  partOf(id: string): string {
    return join(this.folder, `${id}.part`);
  }

  write(record: UploadRecord): Promise<void> {
    return onDisk("the upload", () => this.writeRecord(record));
  }

  private async writeRecord(record: UploadRecord): Promise<void> {
    const path = this.recordOf(record.id);
    const draft = await open(`${path}.new`, "w", 0o600);
    try {
      await draft.writeFile(JSON.stringify(record));
      await draft.sync();
    } finally {
      await draft.close();
    }
    await rename(`${path}.new`, path);
  }

  /** The bytes, opened for writing; made when missing. */
  openPart(id: string): Promise<FileHandle> {
    return onDisk("the upload", () => open(this.partOf(id), constants.O_CREAT | constants.O_WRONLY, 0o600));
  }

  async removePart(id: string): Promise<void> {
    await rm(this.partOf(id), { force: true });
  }

  async remove(id: string): Promise<void> {
    for (const path of [this.recordOf(id), `${this.recordOf(id)}.new`, this.partOf(id)])
      await rm(path, { force: true });
  }

  /** Bytes that the disk still takes; null when it cannot be told. */
  async free(): Promise<number | null> {
    const disk = await statfs(this.folder).catch(() => null);
    return disk && disk.bavail * disk.bsize;
  }

  private recordOf(id: string): string {
    return join(this.folder, `${id}.json`);
  }

  private async read(id: string): Promise<UploadRecord | null> {
    try {
      const record = JSON.parse(await readFile(this.recordOf(id), "utf8")) as UploadRecord;
      return record.id === id ? record : null;
    } catch {
      return null;
    }
  }

  private async bytesOf(record: UploadRecord): Promise<{ offset: number; touchedAt: number }> {
    const part = await stat(this.partOf(record.id)).catch(() => null);
    const over = record.state === "done" || record.state === "failed";
    return { offset: over ? record.size : (part?.size ?? 0), touchedAt: part?.mtimeMs ?? record.createdAt };
  }
}
