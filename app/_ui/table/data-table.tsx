"use client";

import { type ComponentType, useEffect, useState } from "react";
import type { Column } from "./column";
import { PlainTable } from "./plain-table";

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
  /** Name of the URL parameter that holds the order. */
  sortParam?: string;
  /** Called when the reader nears the last row. */
  onEnd?: () => void;
}

type Live = <T extends object>(props: DataTableProps<T>) => React.ReactNode;
let live: Live | null = null;

/**
 * A table of rows as the server ordered them, or as the reader does. It is drawn plainly first, on the server too;
 * sorting and drawing only what is in sight come with code that is fetched behind it and changes nothing in its look.
 */
export function DataTable<T extends object>(props: DataTableProps<T>) {
  const [Table, setTable] = useState<{ live: Live | null }>({ live });
  useEffect(() => {
    if (Table.live !== null) return;
    let here = true;
    void import("./live-table").then((module) => {
      live = module.LiveTable;
      if (here) setTable({ live });
    });
    return () => {
      here = false;
    };
  }, [Table.live]);
  const Shown = (Table.live ?? PlainTable) as ComponentType<DataTableProps<T>>;
  return <Shown {...props} />;
}
