/** Canary sandboxes that are still there: our own dead engines' are deleted, all others are reported and never touched. */
import type { LeftoverAnswer } from "@/server/domain/canary";
import { CoalmineError } from "@/server/domain/errors";
import type { Listed } from "./answers";
import type { Leases } from "./leases";
import type { OpenSandbox } from "./opensandbox";
import { removeSandbox } from "./remove";
import { StepLog } from "./steps";
import type { Target } from "./target";

export interface Owner {
  installation: string;
  leases: Leases;
  /** Cycles of this engine that are going on. */
  active: ReadonlySet<string>;
  /** Milliseconds past its lifetime after which a sandbox is deleted whoever of ours made it. */
  graceMs: number;
  goneWithinMs: number;
}

export interface Swept {
  deleted: string[];
  /** Ours, and still there after the delete. */
  stuck: string[];
  /** Ours, of an engine that may be alive, or another installation's. */
  others: number;
}

/** Deletes what our own dead engines left. Null when the server did not answer. */
export async function sweep(client: OpenSandbox, owner: Owner): Promise<Swept | null> {
  const found = await client.list({ app: "coalmine-canary" });
  if (found === null) return null;
  const swept: Swept = { deleted: [], stuck: [], others: 0 };
  for (const one of found) {
    if (!(await isAbandoned(one, owner))) {
      if (!owner.active.has(one.metadata["coalmine-cycle"] ?? "")) swept.others += 1;
      continue;
    }
    const gone = await removeSandbox(client, one.id, new StepLog(() => undefined), owner.goneWithinMs);
    (gone ? swept.deleted : swept.stuck).push(one.id);
  }
  return swept;
}

async function isAbandoned({ metadata, expiresAt }: Listed, owner: Owner): Promise<boolean> {
  if (metadata["coalmine-installation"] !== owner.installation) return false;
  const engine = metadata["coalmine-engine"] ?? "";
  if (engine === owner.leases.boot) return !owner.active.has(metadata["coalmine-cycle"] ?? "");
  const overdue = expiresAt !== null && Date.now() > Date.parse(expiresAt) + owner.graceMs;
  return overdue || !(await owner.leases.isAlive(engine));
}

export interface LeftoverQuery {
  /** Sandboxes with this value of `runLabel`; null: our canaries'. */
  run: string | null;
  runLabel: string;
}

/** What is still there, oldest first, each with the line that deletes it. Throws `unavailable` when the server does not answer. */
export async function listLeftovers(
  client: OpenSandbox,
  target: Target,
  { run, runLabel }: LeftoverQuery,
  owner: Pick<Owner, "installation" | "active">,
): Promise<LeftoverAnswer[]> {
  const found = await client.list(run === null ? { app: "coalmine-canary" } : { [runLabel]: run });
  if (found === null)
    throw new CoalmineError("unavailable", `Target ${target.name} did not answer the list of sandboxes.`);
  const left = found.filter((one) => !owner.active.has(one.metadata["coalmine-cycle"] ?? ""));
  const now = Date.now();
  return left
    .map((one) => ({
      sandbox: one.id,
      target: target.name,
      whose: whose(one, owner.installation),
      run: one.metadata[runLabel] ?? null,
      cycle: one.metadata["coalmine-cycle"] ?? null,
      createdAt: one.createdAt,
      ageS: one.createdAt === null ? null : Math.max(0, Math.round((now - Date.parse(one.createdAt)) / 1000)),
      command: deleteCommand(client, target, one.id),
    }))
    .sort((a, b) => (a.createdAt ?? "").localeCompare(b.createdAt ?? ""));
}

function whose({ metadata }: Listed, installation: string): LeftoverAnswer["whose"] {
  const made = metadata["coalmine-installation"];
  if (made === undefined) return "user";
  return made === installation ? "ours" : "other";
}

/** The key is named, never written. */
function deleteCommand(client: OpenSandbox, target: Target, id: string): string {
  const url = `${client.base.origin}${client.base.pathname}/sandboxes/${encodeURIComponent(id)}`;
  const key = target.apiKeyEnv === undefined ? "" : ` -H "OPEN-SANDBOX-API-KEY: $${target.apiKeyEnv}"`;
  return `curl -sS -X DELETE${key} '${url.replaceAll("'", "%27")}'`;
}
