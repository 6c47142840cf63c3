"use client";

import { clsx } from "clsx";
import { RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import { ApiError } from "@/app/_client/api";
import { Button } from "./button";

/** Holds the place of what is loading, at its height. */
export function Skeleton({ height, className }: { height: number; className?: string }) {
  return <div aria-hidden="true" className={clsx("skeleton", className)} style={{ height }} />;
}

/** Rows of a table that are loading. */
export function SkeletonRows({ rows, height = 29 }: { rows: number; height?: number }) {
  return (
    <div role="status" className="flex flex-col">
      <span className="sr-only">Loading</span>
      {Array.from({ length: rows }, (_, i) => `row-${i}`).map((key) => (
        <div key={key} className="flex items-center border-b" style={{ height }}>
          <Skeleton height={10} className="w-full" />
        </div>
      ))}
    </div>
  );
}

/** Nothing to show, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="rounded-lg border border-dashed border-line2 px-4 py-6">
      <p className="font-medium">{title}</p>
      {children && <div className="mt-1 max-w-[640px] text-mut">{children}</div>}
    </div>
  );
}

/** What went wrong, in the server's words, and a way to try again. */
export function Failed({ what, error, retry }: { what: string; error: Error; retry?: () => void }) {
  const code = error instanceof ApiError ? error.code : "internal";
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-bad-line bg-bad-bg px-4 py-3"
    >
      <div className="min-w-0 flex-1">
        <p className="font-medium text-bad">{what} could not be read.</p>
        <p className="break-words">
          {error instanceof ApiError ? error.message : "The page met an error of its own."}{" "}
          <span className="mono text-mut">{code}</span>
        </p>
      </div>
      {retry && (
        <Button onClick={retry}>
          <RotateCcw aria-hidden="true" /> Retry
        </Button>
      )}
    </div>
  );
}

interface AnswerLike<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => unknown;
}

interface ShownProps<T> {
  /** What is read, as the subject of "… could not be read". */
  what: string;
  answer: AnswerLike<T>;
  loading: ReactNode;
  children: (data: T) => ReactNode;
}

/** One of loading, failed and data; what is empty the data's own view says. Old data stays when asking again failed. */
export function Shown<T>({ what, answer, loading, children }: ShownProps<T>) {
  if (answer.data !== undefined) return children(answer.data);
  if (answer.error) return <Failed what={what} error={answer.error} retry={() => void answer.refetch()} />;
  return loading;
}
