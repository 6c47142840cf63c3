import { clsx } from "clsx";
import { memo } from "react";
import type { Column } from "./column";

interface TableRowProps<T extends object> {
  row: T;
  index: number;
  columns: readonly Column<T>[];
  opens?: boolean;
  /** Its panel is open. */
  current: boolean;
  /** Tells the list how high the row became. */
  measure?: (row: HTMLTableRowElement | null) => void;
}

/** One line of a table, drawn again only when it changes: scrolling a long table draws the rows that come into sight. */
export const TableRow = memo(Row) as typeof Row;

function Row<T extends object>({ row, index, columns, opens, current, measure }: TableRowProps<T>) {
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      aria-current={current || undefined}
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
        const content = column.cell(row);
        // What is cut can be read whole by pointing at it.
        const title = column.width && typeof content === "string" ? content : undefined;
        return column.rowHead ? (
          <th key={column.id} scope="row" className={look} title={title}>
            {content}
          </th>
        ) : (
          <td key={column.id} className={look} title={title}>
            {content}
          </td>
        );
      })}
    </tr>
  );
}
