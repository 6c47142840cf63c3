import { clsx } from "clsx";
import type { ReactNode } from "react";
import type { Column, Order } from "./column";
import { SortHead } from "./sort-head";

interface TableFrameProps<T> {
  caption: string;
  columns: readonly Column<T>[];
  order: Order | null;
  /** All rows, also those not drawn. */
  count: number;
  onSort?: (id: string) => void;
  children: ReactNode;
}

/** A table's caption and head around its body. */
export function TableFrame<T>({ caption, columns, order, count, onSort, children }: TableFrameProps<T>) {
  const fixed = columns.some((column) => column.width !== undefined);
  return (
    <div className="scroll-x">
      <table aria-rowcount={count + 1} className={clsx("grid-table", fixed && "md:table-fixed")}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <SortHead key={column.id} column={column} order={order} onSort={onSort && (() => onSort(column.id))} />
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  );
}
