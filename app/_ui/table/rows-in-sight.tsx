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
  /** All rows are as high as the first: none needs to be measured while it scrolls by. */
  even?: boolean;
}

const ROW_PX = 29;
/** Rows before the last at which more are asked for. */
const NEAR = 30;

/** A long body of which only the rows near the window are drawn. */
export function RowsInSight<T extends object>(props: RowsInSightProps<T>) {
  const { columns, rows, opens, selected, onEnd, even } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const top = useTop(body);
  const rowPx = useRowHeight(body, top);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowPx,
    overscan: 12,
    scrollMargin: top,
  });
  // What was estimated before the first row was drawn is estimated again.
  useEffect(() => {
    if (rowPx !== ROW_PX) virtual.measure();
  }, [virtual, rowPx]);
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
              measure={even ? undefined : virtual.measureElement}
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

/** Height of the first row that is drawn, in px; asked again when the page around it changes. */
function useRowHeight(element: { readonly current: HTMLElement | null }, top: number): number {
  const [height, setHeight] = useState(ROW_PX);
  // `top` moves with the width of the page, and so may the lines of a row.
  useLayoutEffect(() => {
    const row = top >= 0 ? element.current?.querySelector("tr[data-index]") : null;
    if (row) setHeight(row.getBoundingClientRect().height);
  }, [element, top]);
  return height;
}

function Gap({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr>
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}
