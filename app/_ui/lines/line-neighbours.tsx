"use client";

import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import Link from "next/link";
import { useState } from "react";
import { ApiError, apiUrl, getJson } from "@/app/_client/api";
import type { LinesAround, RawLine } from "@/server/domain/raw-lines";
import { Button } from "../button";
import { CopyButton } from "../copy-button";
import { Failed, SkeletonRows } from "../states";
import { When } from "../when";
import { lineKey, searchAroundHref } from "./search-href";

interface LineNeighboursProps {
  batch: string;
  line: number;
  part?: number;
}

const CHOICES = [
  { value: "stream", name: "Same stream" },
  { value: "delivery", name: "Whole delivery" },
] as const;
const FEW = 5;
const MANY = 50;

/** A raw line between those that were written before and after it. */
export function LineNeighbours({ batch, line, part = 0 }: LineNeighboursProps) {
  const [of, setOf] = useState<"stream" | "delivery">("stream");
  const [around, setAround] = useState(FEW);
  const answer = useQuery(askAround({ batch, line, part, of, around }));
  if (answer.error instanceof ApiError && answer.error.code === "not_found") {
    return <p className="py-1 text-mut">Its raw line is not kept: it came in a record or a document, not as a line.</p>;
  }
  if (answer.error) return <Failed what="Its lines" error={answer.error} retry={() => void answer.refetch()} />;
  return (
    <div>
      <div className="mb-1 flex flex-wrap items-center gap-1">
        <fieldset className="flex gap-1">
          <legend className="sr-only">Whose lines</legend>
          {CHOICES.map(({ value, name }) => (
            <Button
              key={value}
              look="quiet"
              size="small"
              aria-pressed={of === value}
              className="aria-pressed:border-line2 aria-pressed:bg-bg aria-pressed:text-ink"
              onClick={() => setOf(value)}
            >
              {name}
            </Button>
          ))}
        </fieldset>
        {answer.data && <Actions found={answer.data} />}
      </div>
      {answer.data ? <Lines found={answer.data} /> : <SkeletonRows rows={FEW * 2 + 1} height={18} />}
      {around < MANY && (
        <Button look="quiet" size="small" onClick={() => setAround(MANY)}>
          More lines
        </Button>
      )}
    </div>
  );
}

function askAround(params: { batch: string; line: number; part: number; of: string; around: number }) {
  const url = apiUrl("/lines", params);
  return queryOptions({
    queryKey: ["/lines", url] as const,
    queryFn: ({ signal }) => getJson<LinesAround>(url, signal),
    // Asking for more leaves what is there until it comes.
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function Actions({ found }: { found: LinesAround }) {
  const all = [...found.before, found.line, ...found.after];
  return (
    <div className="ml-auto flex flex-wrap items-center gap-1">
      <Link href={searchAroundHref(found.line)} className="rows-link px-1.5 text-small">
        Search around this time
      </Link>
      <CopyButton text={found.line.text} what="the line" label="Copy line" />
      <CopyButton text={all.map((one) => one.text).join("\n")} what="all of these lines" label="Copy all" />
    </div>
  );
}

function Lines({ found }: { found: LinesAround }) {
  return (
    <ol className="mono border-l border-line2 bg-bg" aria-label="The line and its neighbours">
      {found.before.map((one) => (
        <Line key={lineKey(one)} line={one} />
      ))}
      <Line line={found.line} here />
      {found.after.map((one) => (
        <Line key={lineKey(one)} line={one} />
      ))}
    </ol>
  );
}

function Line({ line, here = false }: { line: RawLine; here?: boolean }) {
  return (
    <li
      aria-current={here || undefined}
      className={clsx("flex gap-3 px-2 leading-[18px]", here && "bg-warn-bg shadow-[inset_2px_0_0_var(--warn)]")}
    >
      <span className={clsx("shrink-0 select-none", here ? "text-ink" : "text-mut")}>
        {line.at === null ? `line ${line.line}` : <When at={line.at} as="precise" />}
      </span>
      <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {line.text}
        {line.cut && <span className="text-mut"> …</span>}
      </span>
    </li>
  );
}
