/** The canary engine: one queue for requests and schedules, one run at a time on each target, and nothing left behind. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  type CanaryAnswer,
  type CanaryEvent,
  type CanaryNodeAnswer,
  type CanarySummary,
  isOver,
  type LeftoverAnswer,
  type ScheduleAnswer,
} from "@/server/domain/canary";
import { CoalmineError } from "@/server/domain/errors";
import { boundsOf, type TargetBounds } from "./bounds";
import type { CanaryConfig } from "./config";
import { execute } from "./execute";
import { Janitor } from "./janitor";
import { installationId, Leases } from "./leases";
import type { Swept } from "./leftovers";
import { NodeRecord } from "./node-record";
import { type CheckedRequest, checkRequest } from "./plans/list";
import type { Pods } from "./pods";
import { RunFiles } from "./run-files";
import { RunJournal } from "./run-journal";
import { Schedules } from "./schedule";
import type { Target } from "./target";
import { summaryOf } from "./views";

export interface EngineOptions {
  dataDir: string;
  config: CanaryConfig;
  keyOf(target: Target): string | null;
  /** By target; closed when the engine stops. */
  pods?: ReadonlyMap<string, Pods>;
  onEvents?(run: string, events: CanaryEvent[]): void;
  /** A run is over and written; its evidence may be delivered. */
  onOver?(run: string): void;
  onSwept?(target: string, swept: Swept): void;
  leaseMs?: number;
  sweepEveryMs?: number;
  graceMs?: number;
  goneWithinMs?: number;
}

interface Entry {
  journal: RunJournal;
  request: CheckedRequest;
  target: Target;
  cancel: AbortController;
}

/** Runs that wait, of all targets. */
const MAX_QUEUED = 50;
const STOP_MS = 8_000;

export class Engine {
  private readonly files: RunFiles;
  private readonly leases: Leases;
  private readonly schedules: Schedules;
  private readonly janitor: Janitor;
  private readonly goneWithinMs: number;
  private readonly active = new Set<string>();
  private readonly bounds = new Map<string, TargetBounds>();
  private readonly nodes = new NodeRecord();
  /** Every run that is known, newest first, without cycles and figures. */
  private summaries: CanarySummary[] = [];
  private waiting: Entry[] = [];
  private readonly running = new Map<string, { entry: Entry; ended: Promise<void> }>();
  private installation = "";
  private stopping = false;

  constructor(private readonly options: EngineOptions) {
    const folder = join(options.dataDir, "canaries");
    this.files = new RunFiles(folder);
    this.leases = new Leases(folder, options.leaseMs);
    this.schedules = new Schedules(options.config.targets, {
      submit: async (...asked) => (await this.submit(...asked)).id,
      isOver: (id) => isOver(this.summaries.find((one) => one.id === id)?.state ?? "passed"),
    });
    const { config, keyOf, onSwept, sweepEveryMs, graceMs } = options;
    this.goneWithinMs = options.goneWithinMs ?? 15_000;
    const watched = { targets: config.targets, runLabel: config.runLabel, leases: this.leases, active: this.active };
    this.janitor = new Janitor({ ...watched, keyOf, onSwept, sweepEveryMs, graceMs, goneWithinMs: this.goneWithinMs });
    for (const target of config.targets) this.bounds.set(target.name, boundsOf(target.bounds));
  }

  /** Takes up the folder: runs that a dead engine left are interrupted, its sandboxes are looked for. */
  async start(): Promise<void> {
    await this.files.open();
    this.installation = await installationId(this.files.folder);
    await this.leases.begin();
    const runs = await this.files.all();
    await this.files.prune(runs);
    for (const run of runs.filter((one) => !isOver(one.state))) {
      run.state = "interrupted";
      run.endedAt = new Date().toISOString();
      run.notes.push("The engine went away while this was going on.");
      await this.files.save(run);
    }
    this.summaries = runs.map(summaryOf);
    for (const run of runs) this.nodes.add(run);
    this.janitor.start(this.installation);
    this.schedules.start(this.summaries);
  }

  /** Ends everything that is going on, deletes what it made, and lets the lease go. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.schedules.stop();
    this.janitor.stop();
    for (const { entry } of this.running.values()) entry.cancel.abort();
    const ended = Promise.all([...this.running.values()].map((one) => one.ended));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
    await Promise.all([...(this.options.pods?.values() ?? [])].map((pods) => pods.close()));
    await this.leases.end();
  }

  /** Queues a run. Throws `invalid` with the reason, `busy` when too many wait. */
  async submit(targetName: string, plan: string, options: unknown, by: string): Promise<CanarySummary> {
    const target = this.target(targetName);
    const request = checkRequest(target, plan, options);
    if (this.waiting.length >= MAX_QUEUED || this.stopping) {
      throw new CoalmineError("busy", `${this.waiting.length} canaries wait already; try again later.`, {
        retryAfterS: 30,
      });
    }
    const now = new Date();
    const run: CanaryAnswer = {
      id: `c-${now.getTime().toString(36)}-${randomBytes(3).toString("hex")}`,
      target: target.name,
      plan: request.name,
      options: request.options,
      state: "queued",
      by,
      createdAt: now.toISOString(),
      startedAt: null,
      endedAt: null,
      notes: [],
      result: null,
      cycles: [],
    };
    const journal = new RunJournal(run, this.files, (events) => this.options.onEvents?.(run.id, events));
    const entry: Entry = { journal, request, target, cancel: new AbortController() };
    journal.state("queued");
    this.waiting.push(entry);
    this.remember(run);
    await journal.save();
    this.pump();
    return summaryOf(run);
  }

  /** Says `cancelling` at once; what is in flight is deleted once its id is known. Throws `not_found`, `conflict` when over. */
  async cancel(id: string): Promise<CanarySummary> {
    const waiting = this.waiting.find((entry) => entry.journal.run.id === id);
    if (waiting) {
      this.waiting = this.waiting.filter((entry) => entry !== waiting);
      waiting.journal.state("cancelled");
      return this.close(waiting);
    }
    const running = [...this.running.values()].find(({ entry }) => entry.journal.run.id === id);
    if (!running || isOver(running.entry.journal.run.state)) {
      const known = this.summaries.find((one) => one.id === id);
      if (!known) throw new CoalmineError("not_found", `There is no canary ${id}.`);
      throw new CoalmineError("conflict", `Canary ${id} is over.`);
    }
    const { journal, cancel } = running.entry;
    if (!cancel.signal.aborted) {
      journal.state("cancelling");
      this.remember(journal.run);
      cancel.abort();
      void journal.save();
    }
    return summaryOf(journal.run);
  }

  list(): CanarySummary[] {
    return this.summaries;
  }

  /** Throws `not_found`. */
  async get(id: string): Promise<CanaryAnswer> {
    const live = [...this.waiting, ...[...this.running.values()].map((one) => one.entry)];
    const found = live.find((entry) => entry.journal.run.id === id)?.journal.run ?? (await this.files.load(id));
    if (!found) throw new CoalmineError("not_found", `There is no canary ${id}.`);
    return structuredClone(found);
  }

  nodeAnswers(): CanaryNodeAnswer[] {
    return this.nodes.answers();
  }

  scheduleAnswers(): ScheduleAnswer[] {
    return this.schedules.answers();
  }

  /** What is still there on a target. Throws `invalid` for an unknown target, `unavailable` when it does not answer. */
  async leftovers(targetName: string, run: string | null): Promise<LeftoverAnswer[]> {
    return this.janitor.leftovers(this.target(targetName), run);
  }

  private target(name: string): Target {
    const target = this.options.config.targets.find((one) => one.name === name);
    if (target) return target;
    const known = this.options.config.targets.map((one) => one.name).join(", ");
    throw new CoalmineError("invalid", `target: "${name}" is none of the configured ones${known ? `: ${known}` : ""}`);
  }

  /** Starts the next run of every target that is free. */
  private pump(): void {
    for (const entry of [...this.waiting]) {
      if (this.running.has(entry.target.name) || this.stopping) continue;
      this.waiting = this.waiting.filter((one) => one !== entry);
      this.running.set(entry.target.name, { entry, ended: this.execute(entry) });
    }
  }

  private async execute(entry: Entry): Promise<void> {
    const { journal, target, cancel } = entry;
    const { boot } = this.leases;
    const { goneWithinMs, installation, active } = this;
    const bounds = this.bounds.get(target.name) ?? boundsOf(target.bounds);
    const apiKey = this.options.keyOf(target);
    const pods = this.options.pods?.get(target.name) ?? null;
    const common = { bounds, apiKey, pods, boot, installation, active, goneWithinMs };
    const under = execute({ journal, request: entry.request, target, cancel: cancel.signal, ...common });
    this.remember(journal.run);
    await under;
    if (this.stopping) journal.note("The engine was stopped.");
    await this.close(entry);
    this.running.delete(target.name);
    this.pump();
  }

  private async close({ journal }: Entry): Promise<CanarySummary> {
    this.nodes.add(journal.run);
    await journal.save(() => this.remember(journal.run));
    this.options.onOver?.(journal.run.id);
    return summaryOf(journal.run);
  }

  private remember(run: CanaryAnswer): void {
    const summary = summaryOf(run);
    const at = this.summaries.findIndex((one) => one.id === run.id);
    if (at >= 0) this.summaries[at] = summary;
    else this.summaries.unshift(summary);
  }
}
