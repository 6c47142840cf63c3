/** Entry of a reader thread: answers questions to the store, so that a long query never holds up the web process. */
import { parentPort, workerData } from "node:worker_threads";
import type { Store } from "@/server/domain/store";
import { answerCall } from "@/server/threads/call-server";
import { type FromReader, packError, type ThreadData, type ToReader } from "@/server/threads/messages";
import { openReader } from "@/server/wire";
import { readingOf } from "../search-reading";
import { READS } from "./reader-client";

async function main(port: NonNullable<typeof parentPort>, data: ThreadData): Promise<void> {
  const post = (message: FromReader) => port.postMessage(message);
  let store: Store;
  try {
    store = await openReader(data);
  } catch (error) {
    post({ type: "failed", error: packError(error) });
    return;
  }
  const reads = Object.fromEntries(
    READS.map((name) => [name, (...args: never[]) => (store[name] as (...args: never[]) => Promise<unknown>)(...args)]),
  );
  const operations = { ...reads, ...readingOf(store) };
  port.on("message", (message: ToReader) => {
    if (message.type === "stop") void store.close().finally(() => port.close());
    else void answerCall(operations, message, post);
  });
  post({ type: "ready" });
}

if (parentPort) void main(parentPort, workerData as ThreadData);
