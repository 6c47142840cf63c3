/** Which engines are alive: each renews a file of its own. What an engine without a fresh lease left behind may be deleted. */
import { randomBytes } from "node:crypto";
import { readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

export const LEASE_MS = 30_000;

export class Leases {
  /** Of this engine's life, as in the metadata `coalmine-engine`. */
  readonly boot = randomBytes(8).toString("hex");
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly folder: string,
    readonly leaseMs: number = LEASE_MS,
  ) {}

  async begin(): Promise<void> {
    await writeFile(this.path(this.boot), "");
    this.timer = setInterval(() => void this.renew(), this.leaseMs / 3);
    this.timer.unref();
  }

  async end(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await rm(this.path(this.boot), { force: true });
  }

  /** Has that engine renewed its lease lately? */
  async isAlive(boot: string): Promise<boolean> {
    if (boot === this.boot) return true;
    if (!/^[0-9a-f]{16}$/.test(boot)) return false;
    const seen = await stat(this.path(boot)).catch(() => null);
    return seen !== null && Date.now() - seen.mtimeMs <= this.leaseMs;
  }

  private async renew(): Promise<void> {
    const now = new Date();
    await utimes(this.path(this.boot), now, now).catch(() =>
      writeFile(this.path(this.boot), "").catch(() => undefined),
    );
  }

  private path(boot: string): string {
    return join(this.folder, `${boot}.lease`);
  }
}

/** Made at the first start and kept: sandboxes of this installation are its own to delete, on whatever server. */
export async function installationId(folder: string): Promise<string> {
  const path = join(folder, "installation");
  const known = (await readFile(path, "utf8").catch(() => "")).trim();
  if (/^[0-9a-f]{16}$/.test(known)) return known;
  const made = randomBytes(8).toString("hex");
  await writeFile(path, `${made}\n`);
  return made;
}
