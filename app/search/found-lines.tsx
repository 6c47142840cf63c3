"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useCallback, useEffect, useMemo } from "react";
import { ApiError } from "@/app/_client/api";
import { count, plural } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import { Empty, Failed, SkeletonRows } from "@/app/_ui/states";
import { LineList } from "./line-list";
import { NoLines } from "./no-lines";
import { ReadOn } from "./read-on";
import type { SearchFilter } from "./search-parsers";
import { askLines } from "./search-questions";
import { merged } from "./tail-state";
import { useTail } from "./use-tail";

const TailBar = dynamic(() => import("./tail-bar").then((module) => module.TailBar), { ssr: false });

/** With fewer lines than this the search goes on by itself … */
const ENOUGH = 30;
/** … for so many calls; then the reader decides. */
const BY_ITSELF = 12;

/** Lines as they are found, the newest first, and above them those that come. */
export function FoundLines({ filter, live }: { filter: SearchFilter; live: boolean }) {
  const answer = useInfiniteQuery(askLines(filter));
  const followed = useTail(filter, live);
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isError } = answer;
  const pages = answer.data?.pages;
  const found = useMemo(() => pages?.flatMap((page) => page.items), [pages]);
  const rows = useMemo(
    () => (found ? merged(followed.tail.shown, found, Number.POSITIVE_INFINITY) : followed.tail.shown),
    [followed.tail.shown, found],
  );
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  const goesOn = found !== undefined && found.length < ENOUGH && (pages?.length ?? 0) < BY_ITSELF;
  useEffect(() => {
    if (goesOn) more();
  }, [goesOn, more]);
  return (
    <Section
      title="Lines"
      note={pages && `${count(rows.length)}${hasNextPage ? " and perhaps more" : ""}, newest first`}
      className="min-w-0"
    >
      {live && <TailBar followed={followed} again={() => void answer.refetch()} />}
      {answer.error && found === undefined ? (
        <Refused error={answer.error} retry={() => void answer.refetch()} />
      ) : found === undefined ? (
        <SkeletonRows rows={14} height={44} />
      ) : rows.length === 0 && !hasNextPage ? (
        <NoLines filter={filter} />
      ) : (
        <LineList lines={rows} onEnd={more} />
      )}
      {found !== undefined && <ReadOn answer={answer} looked={looked(pages)} more={more} />}
    </Section>
  );
}

/** What cannot be looked up is said in the server's words; it is no failure of ours. */
function Refused({ error, retry }: { error: Error; retry(): void }) {
  if (error instanceof ApiError && error.code === "invalid") {
    const [, said = error.message] = /^\w+: (.*)$/s.exec(error.message) ?? [];
    return <Empty title="This cannot be looked up.">{said.charAt(0).toUpperCase() + said.slice(1)}</Empty>;
  }
  return <Failed what="The lines" error={error} retry={retry} />;
}

function looked(pages: readonly { looked: { lines: number; back: string | null } }[] | undefined) {
  const lines = pages?.reduce((sum, page) => sum + page.looked.lines, 0) ?? 0;
  return { text: `Looked through ${plural(lines, "line")}`, back: pages?.at(-1)?.looked.back ?? null };
}
