import { clsx } from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { CSSProperties } from "react";
import type { Column, Order } from "./column";

interface SortHeadProps<T> {
  column: Column<T>;
  order: Order | null;
  onSort?: () => void;
}

/** A width that counts from medium screens on; narrower ones share what there is. */
function widthStyle(width: string | undefined): CSSProperties | undefined {
  return width === undefined ? undefined : ({ "--w": width } as CSSProperties);
}

/** A column's head; a button where the column sorts. */
export function SortHead<T>({ column, order, onSort }: SortHeadProps<T>) {
  const mine = order?.id === column.id ? order : null;
  return (
    <th
      scope="col"
      aria-sort={mine === null ? undefined : mine.down ? "descending" : "ascending"}
      className={clsx(column.num && "num", column.wide && "max-md:hidden", column.width && "md:w-(--w)")}
      style={widthStyle(column.width)}
    >
      {column.sort && onSort ? (
        <button
          type="button"
          onClick={onSort}
          className={clsx("inline-flex items-center gap-1 font-medium hover:text-ink", mine && "text-ink")}
        >
          {column.head}
          {column.name && <span className="sr-only">{column.name}</span>}
          {mine &&
            (mine.down ? (
              <ArrowDown aria-hidden="true" className="size-3" />
            ) : (
              <ArrowUp aria-hidden="true" className="size-3" />
            ))}
        </button>
      ) : (
        <>
          {column.head}
          {column.name && <span className="sr-only">{column.name}</span>}
        </>
      )}
    </th>
  );
}
