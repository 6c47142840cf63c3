import { cva, type VariantProps } from "class-variance-authority";
import type { ReactNode } from "react";

const look = cva("inline-block shrink-0 rounded-sm font-sans px-1.5 text-tiny font-medium whitespace-nowrap", {
  variants: {
    tone: {
      bad: "bg-bad-bg text-bad",
      warn: "bg-warn-bg text-warn",
      good: "text-good",
      plain: "bg-sub text-mut",
      quiet: "px-0 text-mut",
    },
  },
  defaultVariants: { tone: "plain" },
});

/** A word about a row that should be seen at a glance. */
export function Tag({ tone, children, title }: VariantProps<typeof look> & { children: ReactNode; title?: string }) {
  return (
    <span className={look({ tone })} title={title}>
      {children}
    </span>
  );
}

/** A setting or label of a run. */
export function Chip({ children, title, small }: { children: ReactNode; title?: string; small?: boolean }) {
  return (
    <span
      title={title}
      className={`inline-block max-w-60 truncate rounded-full border border-line2 text-mut ${small ? "px-1.5 text-tiny" : "px-2 text-small"}`}
    >
      {children}
    </span>
  );
}
