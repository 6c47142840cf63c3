import { type ReactNode, useId } from "react";

interface SectionProps {
  title: string;
  /** What the numbers below are, in a few words. */
  note?: ReactNode;
  /** At the right: what can be done with the section, or its count. */
  actions?: ReactNode;
  id?: string;
  className?: string;
  children: ReactNode;
}

/** A titled part of a page. */
export function Section({ title, note, actions, id, className = "mb-8", children }: SectionProps) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} id={id} className={className}>
      <div className="mb-2 flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1">
        <h2 id={heading} className="text-body font-semibold">
          {title}
        </h2>
        {note && <span className="text-small text-mut">{note}</span>}
        {actions && <div className="ml-auto flex items-center gap-1 text-small text-mut">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
