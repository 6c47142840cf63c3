/** Canary runs on disk: one small JSON file each, written whole or not at all; events and undelivered evidence as lines beside it. */
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { onDisk } from "@/server/disk-error";
import type { CanaryAnswer, CanaryEvent } from "@/server/domain/canary";
import { CoalmineError } from "@/server/domain/errors";

const ID = /^c-[a-z0-9-]{4,60}$/;
/** Runs beyond this are dropped, oldest first, when the engine starts. */
const KEPT = 1_000;

export class RunFiles {
  constructor(readonly folder: string) {}

  async open(): Promise<void> {
    await onDisk("canaries", () => mkdir(this.folder, { recursive: true }));
  }

  async save(run: CanaryAnswer): Promise<void> {
    const path = this.path(run.id, "json");
    await onDisk("the canary's run", async () => {
      await writeFile(`${path}.part`, JSON.stringify(run));
      await rename(`${path}.part`, path);
    });
  }

  /** Null when there is no such run. Throws `not_found` for a name that cannot be one. */
  async load(id: string): Promise<CanaryAnswer | null> {
    const text = await readFile(this.path(id, "json"), "utf8").catch(() => null);
    return text === null ? null : (JSON.parse(text) as CanaryAnswer);
  }

  /** Newest first. A file that cannot be read is left out: it was cut before anyone knew of the run. */
  async all(): Promise<CanaryAnswer[]> {
    const names = (await readdir(this.folder)).filter((name) => name.endsWith(".json") && ID.test(name.slice(0, -5)));
    const runs = await Promise.all(names.map((name) => this.load(name.slice(0, -5)).catch(() => null)));
    return runs.filter((run) => run !== null).sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  }

  /** Drops the oldest runs. */
  async prune(runs: readonly CanaryAnswer[]): Promise<void> {
    for (const { id } of runs.slice(KEPT)) {
      for (const ext of ["json", "events", "evidence"] as const) await rm(this.path(id, ext), { force: true });
    }
  }

  appendEvents(id: string, events: readonly CanaryEvent[]): Promise<void> {
    return appendFile(this.path(id, "events"), events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  }

  /** Those with a greater id than `after`. A line that was cut by a kill is left out. */
  async events(id: string, after: number): Promise<CanaryEvent[]> {
    const text = await readFile(this.path(id, "events"), "utf8").catch(() => "");
    return text.split("\n").flatMap((line) => {
      const event = parseEvent(line);
      return event && event.id > after ? [event] : [];
    });
  }

  appendEvidence(id: string, lines: readonly string[]): Promise<void> {
    return appendFile(this.path(id, "evidence"), lines.map((line) => `${line}\n`).join(""));
  }

  /** Null when nothing waits to be delivered. */
  evidence(id: string): Promise<Buffer | null> {
    return readFile(this.path(id, "evidence")).catch(() => null);
  }

  async dropEvidence(id: string): Promise<void> {
    await rm(this.path(id, "evidence"), { force: true });
  }

  /** Runs with evidence that is not delivered. */
  async undelivered(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names.filter((name) => name.endsWith(".evidence")).map((name) => name.slice(0, -9));
  }

  private path(id: string, ext: "json" | "events" | "evidence"): string {
    if (!ID.test(id)) throw new CoalmineError("not_found", `There is no canary ${id}.`);
    return `${this.folder}/${id}.${ext}`;
  }
}

function parseEvent(line: string): CanaryEvent | null {
  try {
    return line === "" ? null : (JSON.parse(line) as CanaryEvent);
  } catch {
    return null;
  }
}
