"use client";

import type { Row } from "@tanstack/react-table";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Column } from "./column";
import type { Features } from "./data-table";

interface TableBodyProps<T extends object> {
  columns: readonly Column<T>[];
  rows: readonly Row<Features, T>[];
  opens?: boolean;
  selected?: string | null;
  onEnd?: () => void;
}

/** Up to so many rows are simply drawn: the browser's own search finds them. */
const DRAWN = 120;
const ROW_PX = 29;
/** Rows before the last at which more are asked for. */
const NEAR = 30;

export function TableBody<T extends object>(props: TableBodyProps<T>) {
  return props.rows.length > DRAWN ? <InSight {...props} /> : <All {...props} />;
}

function All<T extends object>({ rows, ...rest }: TableBodyProps<T>) {
  return (
    <tbody>
      {rows.map((row, index) => (
        <TableRow key={row.id} row={row} index={index} {...rest} />
      ))}
    </tbody>
  );
}

function InSight<T extends object>({ rows, onEnd, ...rest }: TableBodyProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const place = () => setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    place();
    const observer = new ResizeObserver(place);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: 20,
    scrollMargin: top,
    // The server knows no window: the first drawing must be the same there and here.
    initialRect: { width: 1000, height: 1000 },
    initialOffset: 0,
  });
  const shown = virtual.getVirtualItems();
  const first = shown[0];
  const last = shown.at(-1);
  const nearEnd = last !== undefined && last.index >= rows.length - NEAR;
  useEffect(() => {
    if (nearEnd) onEnd?.();
  }, [nearEnd, onEnd]);
  const above = first === undefined ? 0 : first.start - top;
  const below = last === undefined ? 0 : virtual.getTotalSize() - (last.end - top);
  return (
    <tbody ref={body}>
      <Gap height={above} columns={rest.columns.length} />
      {shown.map(({ index }) => {
        const row = rows[index];
        return row && <TableRow key={row.id} row={row} index={index} measure={virtual.measureElement} {...rest} />;
      })}
      <Gap height={below} columns={rest.columns.length} />
    </tbody>
  );
}

function Gap({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr>
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

interface TableRowProps<T extends object> extends Omit<TableBodyProps<T>, "rows" | "onEnd"> {
  row: Row<Features, T>;
  index: number;
  /** Tells the list how high the row became. */
  measure?: (row: HTMLTableRowElement | null) => void;
}

function TableRow<T extends object>({ row, index, columns, opens, selected, measure }: TableRowProps<T>) {
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      aria-current={row.id === selected || undefined}
      data-row={opens ? "" : undefined}
      tabIndex={opens ? -1 : undefined}
    >
      {columns.map((column) => {
        const look = clsx(
          column.num && "num",
          column.wide && "max-md:hidden",
          column.width && "truncate",
          column.width && column.rowHead && "max-md:w-full max-md:max-w-0",
        );
        const content = column.cell(row.original);
        return column.rowHead ? (
          <th key={column.id} scope="row" className={look}>
            {content}
          </th>
        ) : (
          <td key={column.id} className={look}>
            {content}
          </td>
        );
      })}
    </tr>
  );
}
