import type { OrderedProps } from "./data-table";
import { TableFrame } from "./table-frame";
import { TableRow } from "./table-row";

/** Rows drawn before the live table takes over: more than a screen. */
export const FIRST_ROWS = 60;

/** The first rows as they come. */
export function PlainTable<T extends object>(props: OrderedProps<T>) {
  const { caption, columns, rows, rowKey, order, onSort, opens, selected } = props;
  return (
    <TableFrame caption={caption} columns={columns} order={order} count={rows.length} onSort={onSort}>
      <tbody>
        {rows.slice(0, FIRST_ROWS).map((row, index) => {
          const id = rowKey(row);
          return (
            <TableRow key={id} row={row} index={index} columns={columns} opens={opens} current={id === selected} />
          );
        })}
      </tbody>
    </TableFrame>
  );
}
