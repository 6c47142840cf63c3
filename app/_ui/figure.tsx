import type { ReactNode } from "react";

interface FigureProps {
  label: string;
  value: ReactNode;
  /** Size and uncertainty. */
  small: ReactNode;
  children?: ReactNode;
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
