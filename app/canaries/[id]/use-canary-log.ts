"use client";

import { useEffect, useState } from "react";
import { apiUrl } from "@/app/_client/api";
import type { CanaryEvent } from "@/server/domain/canary";
import { applyEvents, type CanaryLog, EMPTY_LOG } from "./canary-log";

const TYPES: readonly CanaryEvent["type"][] = ["state", "progress", "step", "cycle", "point", "result", "note"];
/** Events of a busy run are drawn together. */
const DRAW_MS = 150;

export interface Followed {
  log: CanaryLog;
  /** `lost`: the server does not answer; the browser tries again by itself. */
  line: "open" | "lost" | "ended";
}

/** Follows a run to its end; a lost line goes on after the last event that came. `onEnd` when nothing more will come. */
export function useCanaryLog(id: string, onEnd: () => void): Followed {
  const [followed, setFollowed] = useState<Followed>({ log: EMPTY_LOG, line: "open" });
  useEffect(() => {
    const source = new EventSource(apiUrl(`/canaries/${encodeURIComponent(id)}/events`));
    let waiting: CanaryEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      timer = undefined;
      const events = waiting;
      waiting = [];
      setFollowed(({ log, line }) => ({ log: applyEvents(log, events), line: line === "ended" ? line : "open" }));
    };
    const hear = (message: MessageEvent<string>) => {
      waiting.push(JSON.parse(message.data) as CanaryEvent);
      timer ??= setTimeout(draw, DRAW_MS);
    };
    for (const type of TYPES) source.addEventListener(type, hear);
    source.addEventListener("end", () => {
      source.close();
      draw();
      setFollowed(({ log }) => ({ log, line: "ended" }));
      onEnd();
    });
    source.addEventListener("error", () => {
      setFollowed(({ log, line }) => ({ log, line: line === "ended" ? line : "lost" }));
    });
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [id, onEnd]);
  return followed;
}
