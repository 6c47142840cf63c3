"use client";

import type { MouseEvent, ReactNode } from "react";
import { isPlain } from "@/app/_ui/panel/panel-state";
import { ROWS_ID, rowsHref, useRowFilter } from "./row-filter";
import type { RowFilter } from "./row-parsers";

interface RowsLinkProps {
  run: string;
  filter: Partial<RowFilter>;
  className?: string;
  label?: string;
  children: ReactNode;
}

/** A number that shows the rollouts behind it, below on the same page. */
export function RowsLink({ run, filter, className = "rows-link", label, children }: RowsLinkProps) {
  const { replace } = useRowFilter();
  const follow = (event: MouseEvent) => {
    if (!isPlain(event)) return;
    event.preventDefault();
    replace(filter);
    document.getElementById(ROWS_ID)?.scrollIntoView({ block: "start", behavior: "smooth" });
  };
  return (
    <a href={rowsHref(run, filter)} onClick={follow} className={className} aria-label={label}>
      {children}
    </a>
  );
}
