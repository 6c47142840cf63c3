import type { ReactNode } from "react";
import { Skeleton } from "./states";

interface FigureProps {
  label: string;
  value: ReactNode;
  /** Size and uncertainty. */
  small: ReactNode;
  children?: ReactNode;
}

/** The place of a figure that is still being computed; as tall as the figure, so that nothing moves when it comes. */
export function PendingFigure({ label }: { label: string }) {
  return (
    <div className="-mt-px -ml-px border-t border-l px-4 py-3" aria-busy="true">
      <dt className="text-small text-mut">{label}</dt>
      <dd>
        <span className="sr-only">Being computed</span>
        <Skeleton height={22} className="my-1 w-32" />
        <Skeleton height={12} className="my-1 w-44" />
      </dd>
    </div>
  );
}

/** One figure of a strip; stands in a `dl`. */
export function Figure({ label, value, small, children }: FigureProps) {
  return (
    <div className="-mt-px -ml-px border-t border-l px-4 py-3">
      <dt className="text-small text-mut">{label}</dt>
      <dd>
        <span className="tabular whitespace-nowrap text-figure font-semibold tracking-[-0.02em]">{value}</span>{" "}
        <span className="tabular block text-small text-mut">{small}</span>
        {children}
      </dd>
    </div>
  );
}
