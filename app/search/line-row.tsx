"use client";

import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { DemoTag } from "@/app/_ui/demo-tag";
import { MarkedText } from "@/app/_ui/lines/marked-text";
import { SkeletonRows } from "@/app/_ui/states";
import { When } from "@/app/_ui/when";
import { nodeHref } from "@/app/nodes/[node]/node-href";
import type { RawLine } from "@/server/domain/raw-lines";

const LineNeighbours = dynamic(
  () => import("@/app/_ui/lines/line-neighbours").then((module) => module.LineNeighbours),
  { ssr: false, loading: () => <SkeletonRows rows={11} height={18} /> },
);

interface LineRowProps {
  line: RawLine;
  open: boolean;
  onOpen(): void;
}

/** One line: when, who said it, and what; opens to the lines around it. */
export function LineRow({ line, open, onOpen }: LineRowProps) {
  return (
    <div data-row="" tabIndex={-1} className={clsx("border-b outline-offset-[-2px]", open ? "bg-sub" : "hover:bg-sub")}>
      <div className="grid grid-cols-[20px_minmax(0,1fr)] items-baseline gap-x-1 px-1 py-1">
        <button
          type="button"
          data-open=""
          aria-expanded={open}
          aria-label={open ? "Hide the lines around" : "Show the lines around"}
          onClick={onOpen}
          className="-my-0.5 inline-flex size-6 items-center justify-center self-start rounded-sm text-mut hover:text-ink"
        >
          <ChevronRight aria-hidden="true" className={clsx("size-3.5", open && "rotate-90")} />
        </button>
        <div className="min-w-0">
          <p className="flex flex-wrap items-baseline gap-x-2.5 text-tiny text-mut">
            <span className="mono text-tiny text-ink">
              {line.at === null ? "no time" : <When at={line.at} as="brief" />}
            </span>
            <Sender line={line} />
          </p>
          <p
            className={clsx(
              "mono leading-[18px] whitespace-pre-wrap [overflow-wrap:anywhere]",
              !open && "line-clamp-3",
            )}
          >
            <MarkedText text={line.text} marks={line.matches} />
            {line.cut && <span className="text-mut"> …</span>}
          </p>
        </div>
      </div>
      {open && (
        <div className="px-2 pb-2 sm:pl-7">
          <LineNeighbours batch={line.batch} line={line.line} part={line.part} />
        </div>
      )}
    </div>
  );
}

function Sender({ line }: { line: RawLine }) {
  return (
    <>
      {line.origin === "demo" && <DemoTag />}
      {line.run !== null && (
        <Link href={`/runs/${encodeURIComponent(line.run)}`} className="rows-link">
          {line.run}
        </Link>
      )}
      <span className="[overflow-wrap:anywhere]">{line.source}</span>
      {line.node !== null && (
        <Link href={nodeHref(line.node)} className="rows-link">
          {line.node}
        </Link>
      )}
      {line.pod !== null && <span className="[overflow-wrap:anywhere]">{line.pod}</span>}
      {line.sandbox !== null && line.pod === null && <span className="[overflow-wrap:anywhere]">{line.sandbox}</span>}
    </>
  );
}
