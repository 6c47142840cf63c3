"use client";

import { ArrowUp } from "lucide-react";
import { Button } from "@/app/_ui/button";
import { plural } from "@/app/_ui/format";
import type { Followed } from "./use-tail";

const SAID = {
  open: "Following: lines appear as they come.",
  lost: "Connection lost; trying again …",
  off: "Connecting …",
};

/** What the live tail is doing, and the lines that wait to be shown. */
export function TailBar({ followed, again }: { followed: Followed; again(): void }) {
  const { tail, line, gap, show } = followed;
  const left = tail.skipped + tail.unread;
  const showThem = () => {
    show();
    window.scrollTo({ top: 0 });
  };
  return (
    <div className="sticky top-[100px] z-10 mb-1 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 border-y bg-sub px-2 py-1 text-small md:top-[52px]">
      <p role="status" className="flex flex-wrap items-center gap-x-2">
        <span aria-hidden="true" className={line === "open" ? "text-good" : "text-mut"}>
          ●
        </span>
        <span>{SAID[line]}</span>
        {left > 0 && <span className="text-mut">{plural(left, "line")} came too fast and were skipped.</span>}
        {gap && (
          <span className="text-warn">
            Lines that came while it was lost are missing.{" "}
            <button type="button" className="rows-link" onClick={again}>
              Search again
            </button>
          </span>
        )}
      </p>
      {tail.held.length > 0 && (
        <Button look="primary" size="small" className="ml-auto" onClick={showThem}>
          <ArrowUp aria-hidden="true" /> {plural(tail.held.length, "new line")}
        </Button>
      )}
    </div>
  );
}
