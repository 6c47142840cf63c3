"use client";

import { type Query, useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/app/_ui/button";
import type { Health } from "@/server/domain/product-answers";
import { listen } from "./live-line";
import { isReading } from "./live-reading";
import { ask } from "./questions";

/** Asked again at most so often, however fast data pours in. */
const EVERY_MS = 3_000;
/** What does not come out of the store, or lives by itself. */
const APART = /^\/(taxonomy|targets|canaries|schedules|plans|search|lines)|^undo/;

const fromStore = ({ queryKey }: Query): boolean => !APART.test(String(queryKey[0]));

/** Version of the data that was heard of last, across pages. */
let known: number | null = null;

/** Asks the page's questions again when the data changed. Someone who is reading is told first, and decides. */
export function LiveRefresh({ topic = "runs" }: { topic?: "runs" | "deliveries" }) {
  const { news, refresh } = useNews(topic);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-40 flex justify-center px-4 md:pl-[204px]"
    >
      {news && (
        <Button look="primary" data-news="" className="pointer-events-auto shadow-lg" onClick={refresh}>
          <RefreshCw aria-hidden="true" /> There is newer data: show it
        </Button>
      )}
    </div>
  );
}

function useNews(topic: "runs" | "deliveries"): { news: boolean; refresh(): void } {
  const client = useQueryClient();
  const [news, setNews] = useState(false);
  const refresh = () => {
    setNews(false);
    void client.refetchQueries({ type: "active", stale: true, predicate: fromStore });
  };
  useEffect(() => {
    known ??= client.getQueryData<Health>(ask.health().queryKey)?.dataVersion ?? null;
    let due: ReturnType<typeof setTimeout> | undefined;
    let askedAt = Number.NEGATIVE_INFINITY;
    const look = () => {
      const reading = isReading();
      setNews(reading);
      // They may stop reading before they press the button.
      due = reading ? setTimeout(look, EVERY_MS) : undefined;
      if (reading) return;
      askedAt = performance.now();
      void client.refetchQueries({ type: "active", stale: true, predicate: fromStore });
    };
    const hear = (_type: string, data: string) => {
      known = (JSON.parse(data) as { id: number }).id;
      void client.invalidateQueries({ refetchType: "none", predicate: fromStore });
      due ??= setTimeout(look, Math.max(0, askedAt + EVERY_MS - performance.now()));
    };
    const stop = listen({ params: () => ({ topics: [topic], since: known }), types: [topic], hear });
    return () => {
      clearTimeout(due);
      stop();
    };
  }, [client, topic]);
  return { news, refresh };
}
