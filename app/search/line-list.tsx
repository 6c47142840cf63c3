"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { lineKey } from "@/app/_ui/lines/search-href";
import type { RawLine } from "@/server/domain/raw-lines";
import { LineRow } from "./line-row";

interface LineListProps {
  /** Newest first. */
  lines: readonly RawLine[];
  onEnd(): void;
}

const ROW_PX = 46;
/** Rows before the last at which more are asked for. */
const NEAR = 20;
/** Drawn on the server and until the window is measured. */
const FIRST = 40;

/** Long lists of lines, of which those near the window are drawn. Lines that come above do not move those in sight. */
export function LineList({ lines, onEnd }: LineListProps) {
  const list = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState<number | null>(null);
  const [opened, setOpened] = useState<string | null>(null);
  useLayoutEffect(() => {
    const place = () => setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    place();
    const observer = new ResizeObserver(place);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollMargin: top ?? 0,
    getItemKey: (index) => lineKey(lines[index] as RawLine),
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1);
  const nearEnd = last !== undefined && last.index >= lines.length - NEAR;
  useEffect(() => {
    if (nearEnd) onEnd();
  }, [nearEnd, onEnd]);
  const row = (line: RawLine) => {
    const key = lineKey(line);
    return <LineRow line={line} open={opened === key} onOpen={() => setOpened(opened === key ? null : key)} />;
  };
  if (top === null) {
    return (
      <ol ref={list} className="border-t" aria-label="Lines found">
        {lines.slice(0, FIRST).map((line) => (
          <li key={lineKey(line)}>{row(line)}</li>
        ))}
      </ol>
    );
  }
  return (
    <ol ref={list} className="relative border-t" aria-label="Lines found" style={{ height: virtual.getTotalSize() }}>
      {items.map(({ index, key, start }) => {
        const line = lines[index];
        return (
          line && (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={lines.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start - top}px)` }}
            >
              {row(line)}
            </li>
          )
        );
      })}
    </ol>
  );
}
