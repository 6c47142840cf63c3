"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { UploadQueue, type UploadsState } from "./upload-queue";

const NOTHING: UploadsState = { uploads: [], rate: null };
let queue: UploadQueue | null = null;

/** One queue for the whole visit: going to another page does not stop it. */
function theQueue(client: QueryClient): UploadQueue {
  queue ??= new UploadQueue(() => void client.invalidateQueries());
  return queue;
}

export function useUploads(): { state: UploadsState; queue: UploadQueue } {
  const mine = theQueue(useQueryClient());
  return { state: useSyncExternalStore(mine.subscribe, mine.snapshot, () => NOTHING), queue: mine };
}
