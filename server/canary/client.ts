/** The web process's end of the canary thread: asks the engine, passes its events on, delivers what it saw to the ordinary ingest. */
import { EventEmitter } from "node:events";
import { join } from "node:path";
import {
  type CanaryAnswer,
  type CanaryEvent,
  type CanaryNodeAnswer,
  type CanarySummary,
  isOver,
  type LeftoverAnswer,
  type ScheduleAnswer,
  type TargetAnswer,
} from "@/server/domain/canary";
import { Thread } from "@/server/threads/thread";
import { keyOf, loadConfig } from "./config";
import { eventFeed } from "./event-feed";
import type { Swept } from "./leftovers";
import { planAnswers } from "./plans/list";
import { RunFiles } from "./run-files";
import type { CanaryService } from "./service";
import { targetAnswer } from "./target-answer";
import type { CanaryThreadData, FromCanary } from "./worker";

export interface CanaryClientOptions {
  /** Absolute path of the thread's bundle. */
  script: string;
  dataDir: string;
  configPath: string | null;
  /** Hands lines of evidence to the ordinary ingest, format `canary`, origin `canary`; resolves when they are durable. */
  deliver(body: Uint8Array, about: { target: string; cluster: string; run: string }): Promise<unknown>;
  /** What the engine's look at leftovers found, and what went wrong; for the log. */
  onSwept?(target: string, swept: Swept): void;
  onTrouble?(what: string, error: unknown): void;
  timing?: CanaryThreadData["timing"];
}

/** A thread that died is started again after so long: schedules go on without anyone asking. */
const RESTART_MS = 1_000;

/** Starts the engine. Throws `invalid` when the configuration is wrong. */
export async function startCanaries(options: CanaryClientOptions): Promise<CanaryService> {
  const { dataDir, configPath, script, timing } = options;
  const config = await loadConfig(configPath);
  const files = new RunFiles(join(dataDir, "canaries"));
  await files.open();
  const heard = new EventEmitter().setMaxListeners(0);
  let stopping = false;
  const trouble = (what: string) => (error: unknown) => options.onTrouble?.(what, error);
  let delivering: Promise<void> = Promise.resolve();
  const deliverSoon = () => {
    delivering = delivering.then(() => deliverAll(options, files, config.targets)).catch(trouble("evidence"));
  };
  const data: CanaryThreadData = { dataDir, configPath, timing };
  const thread: Thread = new Thread({
    script,
    data,
    onMessage: (message) => {
      const said = message as FromCanary;
      if (said.type === "events") heard.emit(said.run, said.events);
      else if (said.type === "over") deliverSoon();
      else if (said.type === "swept") options.onSwept?.(said.target, said.swept);
    },
    onEnd: (error) => {
      if (stopping) return;
      trouble("engine")(error);
      setTimeout(() => stopping || void thread.ready().catch(trouble("engine")), RESTART_MS).unref();
    },
  });
  await thread.ready();
  deliverSoon();
  const ask = async <T>(method: string, ...args: unknown[]): Promise<T> => (await thread.call(method, args)) as T;
  return {
    plans: planAnswers,
    targets: async (): Promise<TargetAnswer[]> => {
      const runs = await ask<CanarySummary[]>("list");
      return config.targets.map((target) => targetAnswer(target, keyOf(target, process.env) !== null, runs));
    },
    submit: ({ target, plan, options: given, by }) => ask("submit", target, plan, given, by),
    list: () => ask("list"),
    get: (id) => ask<CanaryAnswer>("get", id),
    cancel: (id) => ask("cancel", id),
    events: async function* (id, after, signal): AsyncGenerator<CanaryEvent> {
      await ask("get", id);
      const listen = (hear: (events: CanaryEvent[]) => void) => {
        heard.on(id, hear);
        return () => void heard.off(id, hear);
      };
      const isOverNow = async () => isOver((await ask<CanaryAnswer>("get", id)).state);
      yield* eventFeed((from) => files.events(id, from), listen, after, signal, isOverNow);
    },
    leftovers: (target, run) => ask<LeftoverAnswer[]>("leftovers", target, run),
    schedules: () => ask<ScheduleAnswer[]>("schedules"),
    nodes: () => ask<CanaryNodeAnswer[]>("nodes"),
    stop: async () => {
      stopping = true;
      await thread.stop();
      await delivering;
    },
  };
}

/** Delivers the evidence of every run that is over. The same bytes twice are one delivery, so it may be tried again after anything. */
async function deliverAll(
  { deliver }: CanaryClientOptions,
  files: RunFiles,
  targets: readonly { name: string; cluster: string }[],
): Promise<void> {
  for (const run of await files.undelivered()) {
    const [body, known] = await Promise.all([files.evidence(run), files.load(run)]);
    if (body === null || known === null || !isOver(known.state)) continue;
    const cluster = targets.find((one) => one.name === known.target)?.cluster ?? "default";
    await deliver(body, { target: known.target, cluster, run });
    await files.dropEvidence(run);
  }
}
