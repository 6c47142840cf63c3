/** Entry of the compute thread: answers heavy questions with a connection of its own, one after the other. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { answerCall } from "@/server/threads/call-server";
import { type FromReader, packError, type ThreadData, type ToReader } from "@/server/threads/messages";
import { openKeptAnswers, openReader } from "@/server/wire";
import { contentKey } from "../by-content";
import { heavyHere } from "../heavy";
import { keepInFile } from "./keep-in-file";

async function main(port: NonNullable<typeof parentPort>, data: ThreadData): Promise<void> {
  const post = (message: FromReader) => port.postMessage(message);
  try {
    const store = await openReader(data);
    const kept = openKeptAnswers(data);
    // Answers of another build may have been computed otherwise.
    const program = contentKey("program", readFileSync(fileURLToPath(import.meta.url), "utf8"));
    const heavy = heavyHere({ store, keeper: keepInFile(kept, program) });
    port.on("message", (message: ToReader) => {
      if (message.type === "call") return void answerCall(heavy, message, post);
      kept.close();
      void store.close().finally(() => port.close());
    });
    post({ type: "ready" });
  } catch (error) {
    post({ type: "failed", error: packError(error) });
  }
}

if (parentPort) void main(parentPort, workerData as ThreadData);
