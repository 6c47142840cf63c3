/**
 * Entry of the two threads of ingest, at lower priority than the pages. The one that the server starts reads deliveries; it starts the
 * other, which is the one writer of the store, so that what was read is stored and derived while more is read.
 */
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { classifierWith } from "@/server/classify/own/own-classifier";
import type { ReclassifyScope } from "@/server/domain/reclassify";
import type { Store } from "@/server/domain/store";
import { Reclassifier } from "@/server/reclassify/reclassifier";
import { Keeper } from "@/server/retention/keeper";
import { answerCall } from "@/server/threads/call-server";
import { type FromReader, packError, type ThreadData, type ToReader } from "@/server/threads/messages";
import { Thread } from "@/server/threads/thread";
import { openWriter } from "@/server/wire";
import { clearSpool } from "../bundles/spool";
import { deliveryOperations, deliveryStoreBy } from "../delivery-store";
import { recover } from "../ingest-recover";
import { rereaderOf } from "../reread/rereader";
import { judgeJoinedBy } from "../settle-joined";
import { Deliveries } from "./deliveries";
import type { FromIngest, ToIngest } from "./messages";
import { writesOf } from "./writes";

/** As `nice` counts: 0 is normal, 19 the least. */
const LOW_PRIORITY = 10;

type Port = NonNullable<typeof parentPort>;

async function read(port: Port, data: ThreadData): Promise<void> {
  const post = (message: FromIngest) => port.postMessage(message);
  let isUp = false;
  const writer = new Thread({
    script: fileURLToPath(import.meta.url),
    data: { ...data, part: "writer" },
    // What was read for it is lost with it, so both start again.
    onEnd: () => {
      if (isUp) process.exit(1);
    },
  });
  try {
    await writer.ready();
  } catch (error) {
    post({ type: "failed", error: packError(error) });
    return;
  }
  isUp = true;
  const call = (method: string, args: unknown[]) => writer.call(method, args);
  const { maxBodyBytes, dataDir } = data;
  const options = { maxBodyBytes, dataDir, classifier: classifierWith(data.ownRules ?? []) };
  const deliveries = new Deliveries(deliveryStoreBy(call), post, options);
  const stop = async () => {
    await deliveries.stop();
    isUp = false;
    await writer.stop();
  };
  port.on("message", (message: ToIngest) => {
    if (message.type === "stop") {
      void stop().finally(() => port.close());
    } else if (message.type === "call") {
      const { id, method, args } = message;
      const answered = call(method, args);
      answered.then(
        (value) => post({ type: "answer", id, value }),
        (error: unknown) => post({ type: "answer", id, error: packError(error) }),
      );
    } else {
      deliveries.handle(message);
    }
  });
  post({ type: "ready" });
}

async function write(port: Port, data: ThreadData): Promise<void> {
  const post = (message: FromReader) => port.postMessage(message);
  let store: Store;
  try {
    store = await openWriter(data);
    await recover(store);
    await clearSpool(data.dataDir);
  } catch (error) {
    post({ type: "failed", error: packError(error) });
    return;
  }
  const classifier = classifierWith(data.ownRules ?? []);
  judgeJoinedBy(store, classifier);
  const reclassifier = new Reclassifier(store, classifier, rereaderOf(store, classifier));
  const keeper = new Keeper(store, { days: data.retentionDays ?? null });
  const operations = {
    ...writesOf(store),
    ...deliveryOperations(store),
    ...reclassifying(reclassifier),
    retentionState: () => keeper.state(),
  };
  port.on("message", (message: ToReader) => {
    if (message.type === "call") {
      void answerCall(operations, message, post);
      return;
    }
    void Promise.all([reclassifier.stop(), keeper.stop()])
      .then(() => store.close())
      .finally(() => port.close());
  });
  post({ type: "ready" });
  // A run that a crash interrupted; what goes wrong with it, its state says.
  void reclassifier.resume().catch(() => undefined);
  keeper.start();
}

function reclassifying(reclassifier: Reclassifier) {
  return {
    reclassifyState: () => reclassifier.state(),
    startReclassify: (what: "preview" | "run", of: ReclassifyScope) => reclassifier.start(what, of),
    cancelReclassify: () => reclassifier.cancel(),
  };
}

/** On Linux this is about the calling thread alone; elsewhere it would slow the pages too. */
function lowerPriority(): void {
  if (process.platform === "linux") setPriority(0, LOW_PRIORITY);
}

if (parentPort) {
  const data = workerData as ThreadData;
  lowerPriority();
  void (data.part === "writer" ? write(parentPort, data) : read(parentPort, data));
}
