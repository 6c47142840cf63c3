"use client";

import {
  type ColumnDef,
  createSortedRowModel,
  type Row,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { clsx } from "clsx";
import { useQueryState } from "nuqs";
import { useMemo } from "react";
import { type Column, compareBy, nextOrder, type Order, orderOf } from "./column";
import { SortHead } from "./sort-head";
import { TableBody } from "./table-body";

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
export type Features = typeof features;

interface DataTableProps<T> {
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
  className?: string;
}

/** A table of rows as the server ordered them, or as the reader does; long ones draw only what is in sight. */
export function DataTable<T extends object>(props: DataTableProps<T>) {
  const { columns, rows, rowKey } = props;
  const [sort, setSort] = useQueryState(props.sortParam ?? "sort");
  const order =
    props.sortParam === undefined
      ? null
      : orderOf(
          sort,
          columns.map((column) => column.id),
        );
  const definitions = useMemo(() => columns.map((column) => definitionOf(column, order)), [columns, order]);
  const sorting = useMemo(() => (order === null ? [] : [{ id: order.id, desc: order.down }]), [order]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({ features, columns: definitions, data, getRowId: rowKey, state: { sorting } });
  const fixed = columns.some((column) => column.width !== undefined);
  const sorted: Row<Features, T>[] = table.getRowModel().rows;
  return (
    <div className="scroll-x">
      <table aria-rowcount={rows.length + 1} className={clsx("grid-table", fixed && "md:table-fixed", props.className)}>
        <caption className="sr-only">{props.caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <SortHead
                key={column.id}
                column={column}
                order={order}
                onSort={props.sortParam === undefined ? undefined : () => void setSort(nextOrder(order, column.id))}
              />
            ))}
          </tr>
        </thead>
        <TableBody {...props} rows={sorted} />
      </table>
    </div>
  );
}

function definitionOf<T extends object>(column: Column<T>, order: Order | null): ColumnDef<Features, T> {
  const value = column.sort ?? (() => null);
  return {
    id: column.id,
    accessorFn: value,
    enableSorting: column.sort !== undefined,
    sortFn: (a: Row<Features, T>, b: Row<Features, T>) =>
      compareBy(value(a.original), value(b.original), order?.down === true),
  };
}
