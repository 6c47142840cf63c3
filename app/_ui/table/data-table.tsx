"use client";

import { useQueryState } from "nuqs";
import { type ReactNode, useEffect, useState } from "react";
import { type Column, nextOrder, type Order, orderOf } from "./column";
import { FIRST_ROWS, PlainTable } from "./plain-table";

export interface DataTableProps<T> {
  /** What the table holds, for readers of text. */
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey(row: T): string;
  /** Rows can be walked with `j` and `k`; each holds a link marked `data-open`, which a click on the row follows. */
  opens?: boolean;
  /** The row that is open. */
  selected?: string | null;
  /** No cell wraps, so that all rows are equally high. */
  even?: boolean;
  /** Name of the URL parameter that holds the order. */
  sortParam?: string;
  /** Called when the reader nears the last row. */
  onEnd?: () => void;
}

export interface OrderedProps<T> extends DataTableProps<T> {
  order: Order | null;
  /** Called with a column's id; without it the table does not sort. */
  onSort?: (id: string) => void;
}

type Live = <T extends object>(props: OrderedProps<T>) => ReactNode;
let live: Live | null = null;

/**
 * A table of rows as the server ordered them, or as the reader does. It is drawn plainly first, on the server too;
 * sorting and drawing only what is in sight are fetched once the table needs them, and change nothing in its look.
 */
export function DataTable<T extends object>(props: DataTableProps<T>) {
  const { columns, rows, sortParam } = props;
  const [sort, setSort] = useQueryState(sortParam ?? "sort");
  const ids = columns.map((column) => column.id);
  const order = sortParam === undefined ? null : orderOf(sort, ids);
  const Table = useLive(order !== null || rows.length > FIRST_ROWS) ?? PlainTable;
  const onSort = sortParam === undefined ? undefined : (id: string) => void setSort(nextOrder(order, id));
  return <Table {...props} order={order} onSort={onSort} />;
}

/** The live table, fetched once it is needed; null until it is there. */
function useLive(needed: boolean): Live | null {
  const [held, hold] = useState<{ live: Live | null }>({ live });
  const missing = needed && held.live === null;
  useEffect(() => {
    if (!missing) return;
    let here = true;
    void import("./live-table").then((module) => {
      live = module.LiveTable;
      if (here) hold({ live });
    });
    return () => {
      here = false;
    };
  }, [missing]);
  return held.live;
}
