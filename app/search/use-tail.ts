"use client";

import { useCallback, useEffect, useState } from "react";
import { type LineState, listen } from "@/app/_client/live-line";
import { isReading } from "@/app/_client/live-reading";
import type { LiveEvent } from "@/server/domain/live";
import type { SearchFilter } from "./search-parsers";
import { searchParams } from "./search-questions";
import { cameIn, NO_TAIL, release, type TailState } from "./tail-state";

const TYPES = ["hello", "lines"] as const;

export interface Followed {
  tail: TailState;
  line: LineState | "off";
  /** The line was lost for a while: lines that came meanwhile are not here. */
  gap: boolean;
  show(): void;
}

/** Follows lines that match as they come. Someone who reads is not disturbed: what comes is held until they ask for it. */
export function useTail(filter: SearchFilter, live: boolean): Followed {
  const [tail, setTail] = useState<TailState>(NO_TAIL);
  const [line, setLine] = useState<LineState | "off">("off");
  const [gap, setGap] = useState(false);
  useEffect(() => {
    if (!live) return;
    let greeted = false;
    const stop = listen({
      // What comes is of now, whatever time was looked at.
      params: () => ({ ...searchParams({ ...filter, from: null, to: null }), topics: ["tail"] }),
      types: TYPES,
      hear(type, data) {
        if (type === "hello") {
          setGap(greeted);
          greeted = true;
          return;
        }
        const { tail: came } = JSON.parse(data) as LiveEvent;
        if (came) setTail((state) => cameIn(state, came, isReading({ orWriting: false })));
      },
      state: setLine,
    });
    return () => {
      stop();
      setLine("off");
    };
  }, [filter, live]);
  const show = useCallback(() => setTail(release), []);
  return { tail, line, gap, show };
}
