"use client";

import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { type ReactNode, useCallback, useMemo } from "react";
import type { List } from "@/server/domain/answers";
import { Button } from "../button";
import { count } from "../format";
import { Section } from "../section";
import { Shown, SkeletonRows } from "../states";
import { CsvButton } from "./csv-button";
import { DataTable, type DataTableProps } from "./data-table";

interface PagedSectionProps<T>
  extends Pick<DataTableProps<T>, "caption" | "columns" | "rowKey" | "opens" | "selected" | "even"> {
  id?: string;
  title: string;
  /** How the rows are ordered, said after their count. */
  order?: string;
  /** What is read, as the subject of "… could not be read". */
  what: string;
  answer: UseInfiniteQueryResult<InfiniteData<List<T>>>;
  /** All rows, also those not read yet. */
  csv: { url: string; fileName: string };
  /** Beside the file of all rows. */
  actions?: ReactNode;
  /** Over the rows. */
  filters?: ReactNode;
  empty: ReactNode;
}

/** A list that is read page by page, as a table: the next page comes with the last rows, or with a click. */
export function PagedSection<T extends object>(props: PagedSectionProps<T>) {
  const { id, title, order, what, answer, csv, actions, filters, empty, ...table } = props;
  const rows = useMemo(() => answer.data?.pages.flatMap((page) => page.items), [answer.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = answer;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const ordered = order === undefined ? "" : `, ${order}`;
  return (
    <Section
      id={id}
      title={title}
      note={rows && `${count(rows.length)}${hasNextPage ? " and more" : ""}${ordered}`}
      actions={
        <>
          {actions}
          <CsvButton {...csv} />
        </>
      }
    >
      {filters}
      <Shown what={what} answer={{ ...answer, data: rows }} loading={<SkeletonRows rows={12} />}>
        {(shown) => (shown.length === 0 ? empty : <DataTable {...table} rows={shown} onEnd={more} />)}
      </Shown>
      {hasNextPage && (
        <Button look="quiet" className="mt-2" disabled={isFetchingNextPage} onClick={more}>
          {isFetchingNextPage ? "Reading more …" : "Show more"}
        </Button>
      )}
    </Section>
  );
}
