import type { OrderedProps } from "./data-table";
import { TableFrame } from "./table-frame";
import { TableRow } from "./table-row";

/** Rows drawn before the live table takes over: more than a screen. */
export const FIRST_ROWS = 60;

/** The first rows as they come. */
export function PlainTable<T extends object>({ rows, rowKey, order, onSort, ...rest }: OrderedProps<T>) {
  return (
    <TableFrame caption={rest.caption} columns={rest.columns} order={order} count={rows.length} onSort={onSort}>
      <tbody>
        {rows.slice(0, FIRST_ROWS).map((row, index) => (
          <TableRow key={rowKey(row)} id={rowKey(row)} row={row} index={index} {...rest} />
        ))}
      </tbody>
    </TableFrame>
  );
}
