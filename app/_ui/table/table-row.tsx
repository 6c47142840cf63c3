import { clsx } from "clsx";
import type { Column } from "./column";

interface TableRowProps<T extends object> {
  id: string;
  row: T;
  index: number;
  columns: readonly Column<T>[];
  opens?: boolean;
  selected?: string | null;
  /** Tells the list how high the row became. */
  measure?: (row: HTMLTableRowElement | null) => void;
}

/** One line of a table. */
export function TableRow<T extends object>({ id, row, index, columns, opens, selected, measure }: TableRowProps<T>) {
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      aria-current={id === selected || undefined}
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
