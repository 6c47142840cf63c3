"use client";

import type { Row } from "@tanstack/react-table";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Column } from "./column";
import type { Features } from "./live-table";
import { TableRow } from "./table-row";

interface RowsInSightProps<T extends object> {
  columns: readonly Column<T>[];
  rows: readonly Row<Features, T>[];
  opens?: boolean;
  selected?: string | null;
  onEnd?: () => void;
}

const ROW_PX = 29;
/** Rows before the last at which more are asked for. */
const NEAR = 30;

/** A long body of which only the rows near the window are drawn. */
export function RowsInSight<T extends object>({ columns, rows, opens, selected, onEnd }: RowsInSightProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const top = useTop(body);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: 20,
    scrollMargin: top,
  });
  const shown = virtual.getVirtualItems();
  const first = shown[0];
  const last = shown.at(-1);
  const nearEnd = last !== undefined && last.index >= rows.length - NEAR;
  useEffect(() => {
    if (nearEnd) onEnd?.();
  }, [nearEnd, onEnd]);
  return (
    <tbody ref={body}>
      <Gap height={first === undefined ? 0 : first.start - top} columns={columns.length} />
      {shown.map(({ index }) => {
        const row = rows[index];
        return (
          row && (
            <TableRow
              key={row.id}
              row={row.original}
              index={index}
              columns={columns}
              opens={opens}
              current={row.id === selected}
              measure={virtual.measureElement}
            />
          )
        );
      })}
      <Gap height={last === undefined ? 0 : virtual.getTotalSize() - (last.end - top)} columns={columns.length} />
    </tbody>
  );
}

/** Where the element begins on the page, in px, also after what stands above it has changed. */
function useTop(element: { readonly current: HTMLElement | null }): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const place = () => setTop((element.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    place();
    const observer = new ResizeObserver(place);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}

function Gap({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr>
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}
