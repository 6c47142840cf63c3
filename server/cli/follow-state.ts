import { createHash } from "node:crypto";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CommandError } from "./terminal";

/** How far one file was sent. Files are known by device and inode, so that a renamed one is still the same. */
export interface Followed {
  path: string;
  /** Its name when it was first seen: rotation does not change whose lines these are. */
  name: string;
  run: string | null;
  /** `whole`: sent as one document when it rests; null until that can be told. */
  mode: "lines" | "whole" | null;
  /** Bytes that are durable at the server; a line begins here. */
  offset: number;
  /** End of the part that was being sent: sent again in exactly these bounds, the server knows it. */
  pending: number | null;
  /** Hash of the first bytes, to notice another content in the same file. */
  head: { bytes: number; hash: string } | null;
  /** Size and time of change as last sent whole. */
  sentAs: string | null;
}

interface Saved {
  version: 1;
  files: Record<string, Followed>;
}

/** Where each followed file stands, kept in a small file that survives a kill at any time. */
export class FollowState {
  private constructor(
    readonly path: string,
    readonly files: Map<string, Followed>,
  ) {}

  /** Throws `CommandError` when the file is there and cannot be read: to begin anew would send everything again. */
  static async open(path: string): Promise<FollowState> {
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw new CommandError(`Cannot read the state file ${path}: ${error.code}.`, { cause: error });
    });
    if (text === null) return new FollowState(path, new Map());
    try {
      const saved = JSON.parse(text) as Saved;
      if (saved.version === 1) return new FollowState(path, new Map(Object.entries(saved.files)));
    } catch {
      // Said below.
    }
    throw new CommandError(`The state file ${path} cannot be understood. Remove it to send everything again.`);
  }

  async save(): Promise<void> {
    const saved: Saved = { version: 1, files: Object.fromEntries(this.files) };
    await mkdir(dirname(this.path), { recursive: true });
    const draft = await open(`${this.path}.new`, "w", 0o600);
    try {
      await draft.writeFile(JSON.stringify(saved));
      await draft.sync();
    } finally {
      await draft.close();
    }
    await rename(`${this.path}.new`, this.path);
  }
}

/** One state a server, set of files and set of options: `$XDG_STATE_HOME/coalmine/follow-….json`. */
export function stateFileFor(env: NodeJS.ProcessEnv, told: readonly unknown[]): string {
  const base = env.XDG_STATE_HOME || join(env.HOME || homedir(), ".local", "state");
  const id = createHash("sha256").update(JSON.stringify(told)).digest("hex").slice(0, 16);
  return join(base, "coalmine", `follow-${id}.json`);
}
