/** Entry of the ingest thread: the one writer of the store, at lower priority than the pages. */
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { classifierWith } from "@/server/classify/own/own-classifier";
import type { Store } from "@/server/domain/store";
import { Reclassifier } from "@/server/reclassify/reclassifier";
import { Keeper } from "@/server/retention/keeper";
import { answerCall } from "@/server/threads/call-server";
import { packError, type ThreadData } from "@/server/threads/messages";
import { openWriter } from "@/server/wire";
import { clearSpool } from "../bundles/spool";
import { recover } from "../ingest-recover";
import { Deliveries } from "./deliveries";
import type { FromIngest, ToIngest } from "./messages";
import { writesOf } from "./writes";

/** As `nice` counts: 0 is normal, 19 the least. */
const LOW_PRIORITY = 10;

async function main(port: NonNullable<typeof parentPort>, data: ThreadData): Promise<void> {
  const post = (message: FromIngest) => port.postMessage(message);
  let store: Store;
  try {
    lowerPriority();
    store = await openWriter(data);
    await recover(store);
    await clearSpool(data.dataDir);
  } catch (error) {
    post({ type: "failed", error: packError(error) });
    return;
  }
  const classifier = classifierWith(data.ownRules ?? []);
  const deliveries = new Deliveries(store, post, data.maxBodyBytes, classifier, data.dataDir);
  const reclassifier = new Reclassifier(store, classifier);
  const keeper = new Keeper(store, { days: data.retentionDays ?? null });
  const operations = {
    ...writesOf(store),
    ...reclassifying(reclassifier),
    retentionState: () => keeper.state(),
  };
  port.on("message", (message: ToIngest) => {
    if (message.type === "stop") {
      void Promise.all([deliveries.stop(), reclassifier.stop(), keeper.stop()])
        .then(() => store.close())
        .finally(() => port.close());
    } else if (message.type === "call") {
      void answerCall(operations, message, post);
    } else {
      deliveries.handle(message);
    }
  });
  post({ type: "ready" });
  // A run that a crash interrupted; what goes wrong with it, its state says.
  void reclassifier.resume().catch(() => undefined);
  keeper.start();
}

function reclassifying(reclassifier: Reclassifier) {
  return {
    reclassifyState: () => reclassifier.state(),
    startReclassify: (what: "preview" | "run") => reclassifier.start(what),
  };
}

/** On Linux this is about the calling thread alone; elsewhere it would slow the pages too. */
function lowerPriority(): void {
  if (process.platform === "linux") setPriority(0, LOW_PRIORITY);
}

if (parentPort) void main(parentPort, workerData as ThreadData);
