"use client";

import {
  type ColumnDef,
  createSortedRowModel,
  type Row,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo } from "react";
import { type Column, compareBy, type Order } from "./column";
import type { OrderedProps } from "./data-table";
import { RowsInSight } from "./rows-in-sight";
import { TableFrame } from "./table-frame";
import { TableRow } from "./table-row";

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
export type Features = typeof features;

/** Up to so many rows are simply drawn: the browser's own search finds them. */
const DRAWN = 120;

/** A table that sorts, and draws of a long list what is in sight. */
export function LiveTable<T extends object>(props: OrderedProps<T>) {
  const { columns, rows, rowKey, order, onSort, onEnd, opens, selected, even } = props;
  const definitions = useMemo(() => columns.map((column) => definitionOf(column, order)), [columns, order]);
  const sorting = useMemo(() => (order === null ? [] : [{ id: order.id, desc: order.down }]), [order]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({ features, columns: definitions, data, getRowId: rowKey, state: { sorting } });
  const sorted: Row<Features, T>[] = table.getRowModel().rows;
  return (
    <TableFrame caption={props.caption} columns={columns} order={order} count={rows.length} onSort={onSort}>
      {sorted.length > DRAWN ? (
        <RowsInSight columns={columns} rows={sorted} opens={opens} selected={selected} onEnd={onEnd} even={even} />
      ) : (
        <tbody>
          {sorted.map((row, index) => (
            <TableRow
              key={row.id}
              row={row.original}
              index={index}
              columns={columns}
              opens={opens}
              current={row.id === selected}
            />
          ))}
        </tbody>
      )}
    </TableFrame>
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
