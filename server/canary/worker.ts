/** Entry of the canary thread: an event loop of its own, so that a busy web server never distorts a canary's timing. */
import { parentPort, workerData } from "node:worker_threads";
import type { CanaryEvent } from "@/server/domain/canary";
import { answerCall } from "@/server/threads/call-server";
import { type AnswerMessage, type CallMessage, type PlainError, packError } from "@/server/threads/messages";
import { keyOf, loadConfig } from "./config";
import { Engine, type EngineOptions } from "./engine";
import type { Swept } from "./leftovers";
import { podsOf } from "./pods";

export interface CanaryThreadData {
  dataDir: string;
  configPath: string | null;
  /** Shorter waits, for tests. */
  timing?: Pick<EngineOptions, "leaseMs" | "sweepEveryMs" | "graceMs" | "goneWithinMs">;
}

export type FromCanary =
  | AnswerMessage
  | { type: "ready" }
  | { type: "failed"; error: PlainError }
  | { type: "events"; run: string; events: CanaryEvent[] }
  | { type: "over"; run: string }
  | { type: "swept"; target: string; swept: Swept };

async function main(port: NonNullable<typeof parentPort>, data: CanaryThreadData): Promise<void> {
  const post = (message: FromCanary) => port.postMessage(message);
  let engine: Engine;
  try {
    const config = await loadConfig(data.configPath);
    engine = new Engine({
      dataDir: data.dataDir,
      config,
      pods: podsOf(config.targets, process.env),
      keyOf: (target) => keyOf(target, process.env),
      onEvents: (run, events) => post({ type: "events", run, events }),
      onOver: (run) => post({ type: "over", run }),
      onSwept: (target, swept) => post({ type: "swept", target, swept }),
      ...data.timing,
    });
    await engine.start();
  } catch (error) {
    post({ type: "failed", error: packError(error) });
    return;
  }
  const operations = {
    submit: engine.submit.bind(engine),
    cancel: engine.cancel.bind(engine),
    list: engine.list.bind(engine),
    get: engine.get.bind(engine),
    leftovers: engine.leftovers.bind(engine),
    schedules: engine.scheduleAnswers.bind(engine),
    nodes: engine.nodeAnswers.bind(engine),
  };
  port.on("message", (message: CallMessage | { type: "stop" }) => {
    if (message.type === "stop") void engine.stop().finally(() => port.close());
    else void answerCall(operations, message, post);
  });
  post({ type: "ready" });
}

if (parentPort) void main(parentPort, workerData as CanaryThreadData);
